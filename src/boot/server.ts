import { createApp } from "../http/app.ts";
import { createClientAddress } from "../http/client-address.ts";
import type { Readiness } from "../domain/health/readiness.ts";
import type { RequestStatistics } from "../http/observe.ts";
import { tokensOfSettings } from "../domain/model/service-token.ts";
import type { Logger } from "../kernel/log.ts";
import type { Config } from "./config.ts";
import { listen } from "./listener.ts";
import { codeHasher, type Secrets } from "./secrets.ts";
import type { Services } from "./services.ts";
import { openSocial } from "./social.ts";
import { subscriptionNames } from "./subscription-names.ts";
import { version } from "./version.ts";

/** A server that answers. */
export type RunningServer = AsyncDisposable & {
  /** What is listened on: `http://<host>:<port>`, `https://…`, or `unix:<path>`. */
  readonly address: string;
  /** Base of texture addresses: PUBLIC_URL, else the address that is listened on. */
  readonly publicUrl: string;
  /** What was answered so far. */
  readonly requests: RequestStatistics;
  /** What `/health/ready` says; what is wrong is logged, once. */
  readonly readiness: () => Promise<Readiness>;
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
  const publicUrl = (): string => config.publicUrl ?? listener.address;
  const isSocket = config.socketFile !== null;
  const findClient = createClientAddress(config.trustedProxies, {
    trustsNameless: isSocket,
    onUntrustedProxy: () =>
      log.warn(
        "a request came from this machine with X-Forwarded-For, and TRUSTED_PROXIES does not name it: all clients of that proxy count as one",
        { remedy: "set TRUSTED_PROXIES=127.0.0.1, or the address from which the proxy connects" },
      ),
  });
  const app = createApp({
    ...services,
    ...openSocial({ config, jwtSecret: secrets.jwt, clock: services.clock }),
    codes: { hash: codeHasher(secrets.jwt), limitFactor: config.rateLimitFactor },
    clientAddress: (request) => findClient(request, listener.peerOf(request)),
    log,
    logRequests: config.log.requests,
    publicUrl,
    siteUrl: () => config.siteUrl ?? publicUrl(),
    communityName: config.communityName,
    corsOrigins: config.corsOrigins,
    subscriptions: subscriptionNames(secrets.jwt),
    settingTokens: tokensOfSettings(secrets.serviceToken?.reveal() ?? null),
    version,
    jwt: { secret: secrets.jwt.reveal(), issuer: config.publicUrl ?? "cloakroom" },
  });
  const listener = listen(config, {
    fetch: (request) => app.fetch(request),
    error: (error) => app.fail(error),
    log,
  });

  const { address, stop } = listener;
  return {
    address,
    publicUrl: publicUrl(),
    requests: app.statistics,
    readiness: app.readiness,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
