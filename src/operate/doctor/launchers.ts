import type { Config } from "../../boot/config.ts";
import { keysOfFolder, postgresTools } from "../../boot/engines.ts";
import { readPublicKey } from "../../boot/secrets.ts";
import { publicKeyPem } from "../../domain/model/pem.ts";
import type { PublicKey } from "../../domain/ports/signer.ts";
import { isLoopbackHost } from "../../kernel/ip-address.ts";
import { boundedText } from "../ask-server.ts";
import { certificateRefusal } from "./certificate-refusals.ts";
import { ok, problem, reasonOf, warning, type Finding, type Subject } from "./finding.ts";

/** Metadata has a key and some names. */
const metadataBytesMax = 64 * 1024;

/**
 * Whether launchers and games on other machines find the server, and skins by the names that it announces. Asks the public address,
 * as they do.
 */
export async function* checkLaunchers(
  { config, folder }: Subject,
  signal: AbortSignal,
): AsyncIterable<Finding> {
  const { publicUrl } = config;
  if (!config.protocols.has("yggdrasil")) {
    yield ok("yggdrasil is off: no launcher signs in here");
    return;
  }
  if (publicUrl === null) {
    yield warning(
      "PUBLIC_URL is not set: games on other machines look for skins where this server listens",
      "set it to the address that players type into their launchers",
    );
    return;
  }
  const { hostname, protocol } = new URL(publicUrl);
  if (isLoopbackHost(hostname))
    yield warning(
      `games on other machines find no skins at ${hostname}`,
      "set PUBLIC_URL to a name that they know",
    );
  else if (protocol !== "https:")
    yield warning(`launchers send passwords and tokens to ${publicUrl} unencrypted`, "serve it by https");
  const key = await ownKey(config, folder.path);
  yield await compareAnnounced(`${publicUrl}/api/yggdrasil`, { hostname, key, signal });
}

/** Null where no key is kept, or where the database cannot be read: `checkDatabase` says why. */
async function ownKey({ database }: Config, dataDir: string): Promise<PublicKey | null> {
  if (database === null) return readPublicKey(keysOfFolder(dataDir));
  const { readKeptPublicKey } = await postgresTools();
  return readKeptPublicKey(database).catch(() => null);
}

type Announced = { readonly skinDomains: readonly unknown[]; readonly signaturePublickey: string };

async function compareAnnounced(
  address: string,
  own: { readonly hostname: string; readonly key: PublicKey | null; readonly signal: AbortSignal },
): Promise<Finding> {
  const announced = await readAnnounced(address, own.signal);
  if (announced instanceof Error) {
    const refused = certificateRefusal(announced, { by: address, setting: "PUBLIC_URL", isOwn: true });
    return warning(
      `${address} cannot be read as launchers read it: ${reasonOf(announced)}`,
      refused?.remedy ?? "is the server running, and does the proxy forward the whole path?",
    );
  }
  if (!announced.skinDomains.includes(own.hostname))
    return problem(
      `the server announces that skins come from ${announced.skinDomains.join(", ")}, but their addresses begin with ${own.hostname}`,
      "give the server the same PUBLIC_URL, and start it again",
    );
  if (own.key !== null && announced.signaturePublickey.trim() !== publicKeyPem(own.key))
    return problem(
      `${address} announces another key than the one that is kept here`,
      "check DATA_DIR or DATABASE_URL, and where the proxy leads",
    );
  return ok(`${address} announces skins from ${own.hostname}, and the key that signs them`);
}

async function readAnnounced(address: string, signal: AbortSignal): Promise<Announced | Error> {
  try {
    const answer = await fetch(address, { redirect: "manual", signal });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      return new Error(`it answers with status ${answer.status}`);
    }
    const text = await boundedText(answer, metadataBytesMax);
    if (text === null) return new Error(`it answers with more than ${metadataBytesMax} bytes`);
    const value: unknown = JSON.parse(text);
    if (isAnnounced(value)) return value;
    return new Error("it answers, but not as cloakroom");
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

function isAnnounced(value: unknown): value is Announced {
  if (typeof value !== "object" || value === null) return false;
  if (!("skinDomains" in value) || !("signaturePublickey" in value)) return false;
  return Array.isArray(value.skinDomains) && typeof value.signaturePublickey === "string";
}
