# docker build --build-arg COMMIT=$(git rev-parse --short=12 HEAD) -t cloakroom .
# docker run -p 3000:3000 -v cloakroom:/data -e PUBLIC_URL=https://skins.example.org --stop-timeout 15 cloakroom
#
# When it is stopped, the program lets requests and jobs end for up to 10 s, which is also how long Docker waits before it kills: hence 15.
#
# A tag names another image every few weeks, with the latest fixes, which suits a build of your own. A release is made from images by
# digest, and its labels name them:
#   digest() { echo "$1@$(docker buildx imagetools inspect "$1" --format '{{.Manifest.Digest}}')"; }
#   docker build --build-arg BUILD_IMAGE=$(digest node:22-bookworm-slim) --build-arg BASE_IMAGE=$(digest debian:bookworm-slim) …
#
# Neither the image nor its health check needs a shell: gcr.io/distroless/base-debian12 works as a base, too.
ARG BUILD_IMAGE=node:22-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

# The build runs on the builder's own platform and compiles for the other one, so that no emulator is needed.
FROM --platform=$BUILDPLATFORM $BUILD_IMAGE AS build
WORKDIR /build
# The dependencies first, so that a change of the source does not install them again.
COPY package.json bun.lock bunfig.toml ./
COPY tools/install.mjs tools/
RUN node tools/install.mjs --production
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

FROM $BASE_IMAGE
ARG BASE_IMAGE
ARG COMMIT
LABEL org.opencontainers.image.title="cloakroom" \
      org.opencontainers.image.description="Self-hosted account, skin and cape server for game communities" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.revision="$COMMIT" \
      org.opencontainers.image.base.name="$BASE_IMAGE"
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
# It asks the address that the environment names, so put settings there: flags of the command are not known here.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/usr/local/bin/cloakroom", "health"]
ENTRYPOINT ["/usr/local/bin/cloakroom"]
CMD ["serve"]
