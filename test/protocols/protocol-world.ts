/** The service with every protocol on, and what its routes look like from outside. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHarness, type Harness, type HarnessOptions } from "../support/harness.ts";

export const auroraSecret = "an-aurora-secret-of-thirty-two-characters";

export type ProtocolWorld = AsyncDisposable & { readonly harness: Harness };

/** Every setting that a protocol asks for is there. */
export async function openProtocols({ settings, ...options }: HarnessOptions = {}): Promise<ProtocolWorld> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-keys-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const keyFile = join(folder, "launch-server.pem");
  await Bun.write(keyFile, publicKeyPem());
  const harness = opened.use(
    await openHarness({
      ...options,
      settings: { AURORA_SECRET: auroraSecret, GRAVIT_KEY_FILE: keyFile, PLAYERS_MAX: "5", ...settings },
    }),
  );
  const closing = opened.move();
  return { harness, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

function publicKeyPem(): string {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return publicKey.export({ type: "spki", format: "pem" });
}

/** A request line with the secrets that stand in it. */
export const filled = (request: string): readonly [method: string, path: string] => {
  const [method = "", path = ""] = request.replace("{secret}", auroraSecret).split(" ");
  return [method, path];
};

/** What the protocols own: everything that is neither the API nor a page. */
const protocolPrefix =
  /^\/(?:api\/(?:yggdrasil|gravit|aurora)|csl|usm|ely|legacy|skin|cape|avatar|crafatar|minotar|mc-heads)(?:\/|$)/;

export const isOfProtocol = (path: string): boolean => protocolPrefix.test(path);

/** A path that fits the pattern of a route. */
export const pathOf = (pattern: string): string =>
  pattern
    .replace(/:secret\b/, auroraSecret)
    .replaceAll(/:\w+\??/g, "Anna")
    .replaceAll("*", "Anna");

/** Whether a path fits the pattern of a route. */
export const fits = (pattern: string, path: string): boolean =>
  new RegExp(
    `^${pattern
      .split("/")
      .map((part) => (part.startsWith(":") ? "[^/]+" : part === "*" ? ".*" : escape(part)))
      .join("/")}/?$`,
  ).test(path);

const escape = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Whether a body is one of ours: protocols have their own. */
export const isEnvelope = (body: unknown): boolean =>
  typeof body === "object" && body !== null && ("data" in body || ("error" in body && "msg" in body));
