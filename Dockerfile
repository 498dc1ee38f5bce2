# docker build --build-arg COMMIT=$(git rev-parse --short=12 HEAD) -t cloakroom .
# docker run -p 3000:3000 -v cloakroom:/data --stop-timeout 15 cloakroom
#
# The program drains for up to 10 s when it is stopped, its jobs at the same time, which is also how long Docker waits before it kills: hence 15.

# The build runs on the builder's own platform and compiles for the other one, so that no emulator is needed.
FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS build
WORKDIR /build
# First what the dependencies are made from, so that a change to the source does not install them again.
COPY package.json bun.lock bunfig.toml ./
RUN npx --yes "bun@$(node -p 'require("./package.json").devDependencies.bun')" install --frozen-lockfile
COPY tsconfig.json LICENSE ./
COPY tools tools
COPY src src
ARG TARGETARCH
ARG COMMIT
RUN arch=${TARGETARCH:-$(dpkg --print-architecture)} \
 && target="linux-$(echo "$arch" | sed 's/^amd64$/x64/')" \
 && npm run build -- --target "$target" \
 && mv "dist/cloakroom-$target" /cloakroom \
 && mkdir /doc \
 && mv dist/THIRD-PARTY-LICENCES.txt "dist/cloakroom-$target.cdx.json" /doc \
 && mkdir /volume && mkdir -m 700 /volume/data

FROM debian:bookworm-slim
ARG COMMIT
LABEL org.opencontainers.image.title="cloakroom" \
      org.opencontainers.image.description="Self-hosted account, skin and cape server for game communities" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.revision="$COMMIT"
COPY --from=build /cloakroom /usr/local/bin/cloakroom
# The licences of the parts have to travel with them; the list of parts is for scanners.
COPY --from=build /doc /usr/share/doc/cloakroom
# A new volume takes over the owner and mode of the folder that it covers; COPY keeps modes only within what it copies.
COPY --from=build --chown=10001:10001 /volume /
USER 10001:10001
WORKDIR /data
VOLUME /data
ENV DATA_DIR=/data HOST=0.0.0.0 PORT=3000
EXPOSE 3000
STOPSIGNAL SIGTERM
# The shell speaks HTTP itself, since the image has no client for it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["bash", "-c", "\
  exec 3<>\"/dev/tcp/127.0.0.1/$PORT\" \
  && printf 'GET /health/live HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 \
  && read -r -t 4 line <&3 && [[ $line == \"HTTP/1.1 200\"* ]]"]
ENTRYPOINT ["/usr/local/bin/cloakroom"]
CMD ["serve"]
