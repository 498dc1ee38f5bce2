import type { Config } from "../../boot/config.ts";
import { keysOfFolder, postgresTools } from "../../boot/engines.ts";
import { readPublicKey } from "../../boot/secrets.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import { publicKeyPem } from "../../domain/model/pem.ts";
import type { PublicKey } from "../../domain/ports/signer.ts";
import { isLoopbackHost } from "../../kernel/ip-address.ts";
import { boundedText } from "../ask-server.ts";
import { refusedFor } from "./certificate-refusals.ts";
import { reasonOf, type Subject } from "./finding.ts";

/** Metadata has a key and some names. */
const metadataBytesMax = 64 * 1024;

/**
 * Whether launchers and games on other machines find the server, and skins by the names that it announces.
 * Asks the public address, as they do.
 */
export async function* checkLaunchers(
  { config, folder }: Subject,
  signal: AbortSignal,
): AsyncIterable<CodedFinding> {
  const { publicUrl } = config;
  if (!config.protocols.has("yggdrasil")) {
    yield found("launchers_off");
    return;
  }
  if (publicUrl === null) {
    yield found("launchers_address_unset");
    return;
  }
  const { hostname, protocol } = new URL(publicUrl);
  if (isLoopbackHost(hostname)) yield found("launchers_address_local", { host: hostname });
  else if (protocol !== "https:") yield found("launchers_unencrypted", { address: publicUrl });
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
): Promise<CodedFinding> {
  const announced = await readAnnounced(address, own.signal);
  if ("code" in announced) return announced;
  const { hostname: host, key } = own;
  if (!announced.skinDomains.includes(host))
    return found("launchers_other_host", { announced: announced.skinDomains.join(", "), host });
  if (key !== null && announced.signaturePublickey.trim() !== publicKeyPem(key))
    return found("launchers_other_key", { address });
  return found("launchers_served", { address, host });
}

/** What the address announces, or why that cannot be read. */
async function readAnnounced(address: string, signal: AbortSignal): Promise<Announced | CodedFinding> {
  try {
    const answer = await fetch(address, { redirect: "manual", signal });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      return found("launchers_status", { address, status: answer.status });
    }
    const text = await boundedText(answer, metadataBytesMax);
    if (text === null) {
      const reason = `it answers with more than ${metadataBytesMax} bytes`;
      return found("launchers_unreadable", { address, reason });
    }
    const value: unknown = JSON.parse(text);
    return isAnnounced(value) ? value : found("launchers_foreign", { address });
  } catch (error) {
    const reason = reasonOf(error);
    const cause = refusedFor(error);
    return cause === null
      ? found("launchers_unreadable", { address, reason })
      : found("launchers_certificate", { address, reason, cause });
  }
}

function isAnnounced(value: unknown): value is Announced {
  if (typeof value !== "object" || value === null) return false;
  if (!("skinDomains" in value) || !("signaturePublickey" in value)) return false;
  return Array.isArray(value.skinDomains) && typeof value.signaturePublickey === "string";
}
