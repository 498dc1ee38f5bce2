import { createApp } from "../http/app.ts";
import { createClientAddress } from "../http/client-address.ts";
import { fault } from "../http/failures.ts";
import { tokensOfSettings } from "../domain/services/token.ts";
import type { Logger } from "../kernel/log.ts";
import type { Config } from "./config.ts";
import { codeHasher, type Secrets } from "./secrets.ts";
import type { Services } from "./services.ts";
import { openSocial } from "./social.ts";
import { subscriptionNames } from "./subscription-names.ts";
import { version } from "./version.ts";

/** How long requests in flight may take to end after the signal to stop. */
const drainMs = 10_000;

/** A server that answers. */
export type RunningServer = {
  /** What is listened on: `http://<host>:<port>`. */
  readonly address: string;
  /** Base of texture addresses: PUBLIC_URL, else the address that is listened on. */
  readonly publicUrl: string;
  /** Takes no more requests, lets those in flight end (10 s at most), and resolves when the last has. */
  readonly stop: () => Promise<void>;
};

/** Listens on the configured address. Throws when it cannot be had. */
export function startServer(options: {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly services: Services;
  readonly log: Logger;
}): RunningServer {
  const { config, secrets, services, log } = options;
  // With PORT=0 the public address is known only once the port is taken.
  const address = (): string => baseUrl(config.host, server.port ?? config.port);
  const publicUrl = (): string => config.publicUrl ?? address();
  const findClient = createClientAddress(config.trustedProxies);
  const app = createApp({
    ...services,
    ...openSocial({ providers: config.social, jwtSecret: secrets.jwt, clock: services.clock }),
    codes: { hash: codeHasher(secrets.jwt), limitFactor: config.rateLimitFactor },
    clientAddress: (request) => findClient(request, server.requestIP(request)?.address ?? null),
    log,
    publicUrl,
    siteUrl: () => config.siteUrl ?? publicUrl(),
    subscriptions: subscriptionNames(secrets.jwt),
    settingTokens: tokensOfSettings(secrets.serviceToken?.reveal() ?? null),
    socialProviders: config.social.map(({ provider }) => provider),
    version,
    jwt: { secret: secrets.jwt.reveal(), issuer: config.publicUrl ?? "cloakroom" },
  });
  const server = Bun.serve({
    hostname: config.host,
    port: config.port,
    // Otherwise a second server would take half of the requests without a word.
    reusePort: false,
    // Each route bounds its own body, so that the answer is an envelope; this bound is for what no route reads.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    // Seconds without a byte, also while a picture is made, which takes its time where others keep the cores busy.
    idleTimeout: 60,
    fetch: (request) => app.fetch(request),
    error: (error) => fault(error, new Request(publicUrl()), log),
  });

  return {
    address: address(),
    publicUrl: publicUrl(),
    stop: async () => {
      const cut = setTimeout(() => void server.stop(true), drainMs);
      await server.stop();
      clearTimeout(cut);
    },
  };
}

/** An IPv6 address stands in brackets (RFC 3986 3.2.2). */
function baseUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
