import { createApp } from "../http/app.ts";
import { createClientAddress } from "../http/client-address.ts";
import { fault } from "../http/failures.ts";
import { tokensOfSettings } from "../domain/services/token.ts";
import type { Logger } from "../kernel/log.ts";
import type { Config } from "./config.ts";
import { listen } from "./listener.ts";
import { codeHasher, type Secrets } from "./secrets.ts";
import type { Services } from "./services.ts";
import { openSocial } from "./social.ts";
import { subscriptionNames } from "./subscription-names.ts";
import { version } from "./version.ts";

/** A server that answers. */
export type RunningServer = {
  /** What is listened on: `http://<host>:<port>`, `https://…`, or `unix:<path>`. */
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
  const publicUrl = (): string => config.publicUrl ?? listener.address;
  const isSocket = config.socketFile !== null;
  const findClient = createClientAddress(config.trustedProxies, { trustsNameless: isSocket });
  const app = createApp({
    ...services,
    ...openSocial({ providers: config.social, jwtSecret: secrets.jwt, clock: services.clock }),
    codes: { hash: codeHasher(secrets.jwt), limitFactor: config.rateLimitFactor },
    clientAddress: (request) => findClient(request, listener.peerOf(request)),
    log,
    publicUrl,
    siteUrl: () => config.siteUrl ?? publicUrl(),
    corsOrigins: config.corsOrigins,
    subscriptions: subscriptionNames(secrets.jwt),
    settingTokens: tokensOfSettings(secrets.serviceToken?.reveal() ?? null),
    socialProviders: config.social.map(({ provider }) => provider),
    version,
    jwt: { secret: secrets.jwt.reveal(), issuer: config.publicUrl ?? "cloakroom" },
  });
  const listener = listen(config, {
    fetch: (request) => app.fetch(request),
    error: (error) => fault(error, new Request(publicUrl()), log),
    log,
  });

  return { address: listener.address, publicUrl: publicUrl(), stop: listener.stop };
}
