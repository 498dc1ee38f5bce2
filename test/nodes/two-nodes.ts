import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose, composeApp, type Ports } from "../../src/boot/compose.ts";
import { loadConfig } from "../../src/boot/config.ts";
import { installationOf } from "../../src/boot/installation.ts";
import { loadMailTexts } from "../../src/boot/mail.ts";
import { secretOf } from "../../src/boot/secrets.ts";
import { createLogger } from "../../src/kernel/log.ts";
import { cheapHasher, jwtSecret, publicUrl, siteUrl } from "../support/harness.ts";
import { lentDatabase } from "../support/lent-postgres.ts";

/** One of several services over one database. */
export type Node = {
  readonly services: Ports;
  /** Answers as the service does, without a network. `x-forwarded-for` names the client. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
};

export type Nodes = AsyncDisposable & {
  readonly both: readonly [Node, Node];
  readonly url: string;
  /** The time stands still on both nodes until a test turns it, or a node pauses. */
  readonly steadySeconds: () => number;
  readonly advance: (seconds: number) => void;
};

/** Opens two nodes of one empty community. */
export async function openTwoNodes(settings: Readonly<Record<string, string>> = {}): Promise<Nodes> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await lentDatabase());
  let now = Date.UTC(2100, 0, 1) / 1000;
  const clock = { nowSeconds: () => Math.floor(now), steadySeconds: () => now };
  const advance = (seconds: number) => void (now += seconds);
  // They share their textures.
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-node-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const open = async (): Promise<Node> => {
    const environment = { ...ownSettings, ...settings, DATABASE_URL: url };
    const flags = { DATA_DIR: folder, PORT: "0" };
    const loaded = await loadConfig({
      flags,
      environment,
      file: null,
      logsToTerminal: false,
      serving: false,
    });
    const { config, serviceToken } = loaded;
    const services = opened.use(
      await compose(config, { clock, hasher: cheapHasher, pause: async (seconds) => advance(seconds) }),
    );
    const app = composeApp(services, {
      config,
      mailTexts: await loadMailTexts(config),
      checks: async () => [],
      installation: installationOf(loaded, {
        command: "cloakroom",
        folder: "/",
        restart: { by: "unknown", command: null },
      }),
      stopping: new AbortController().signal,
      secrets: { jwt: secretOf(jwtSecret), serviceToken },
      log: createLogger({ level: "error", format: "json", write: (line) => void process.stderr.write(line) }),
      clientAddress: (request) => request.headers.get("x-forwarded-for") ?? "127.0.0.1",
      publicUrl: () => publicUrl,
    });
    const fetch = async (path: string, init?: RequestInit) =>
      app.fetch(new Request(`http://localhost${path}`, init));
    return { services, fetch };
  };
  const both = [await open(), await open()] as const;
  const closing = opened.move();
  return {
    both,
    url,
    steadySeconds: clock.steadySeconds,
    advance,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const ownSettings = {
  PUBLIC_URL: publicUrl,
  SITE_URL: siteUrl,
  JWT_SECRET: jwtSecret,
  RATE_LIMIT_FACTOR: "1",
};

/** Sends JSON to a node, as a client of this address. */
export function post(node: Node, path: string, body: unknown, address = "192.0.2.1"): Promise<Response> {
  return node.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify(body),
  });
}
