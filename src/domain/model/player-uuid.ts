import { refusals } from "./refusals.ts";
import { parseUuid, type Uuid } from "../../kernel/ids.ts";

/**
 * How new players get their uuids: at random, or from their names, as servers without authentication make
 * them.
 */
export type UuidRule = "random" | "offline";

/**
 * Versions 1 to 5 of RFC 9562's variant. Game clients take the top bit of the version for a mark of foreign
 * ids.
 */
const playerUuid = /^.{14}[1-5].{4}[89ab]/;

/**
 * Checks a uuid that staff give a player. Fails with invalid for a uuid that games do not accept for players.
 */
export function parsePlayerUuid(uuid: Uuid): Uuid {
  if (playerUuid.test(uuid)) return uuid;
  throw refusals.badPlayerUuid();
}

/** Whether servers without authentication make such uuids: those of version 3. */
export function mayBeOfflineUuid(uuid: Uuid): boolean {
  return uuid[14] === "3";
}

/**
 * The uuids that a player is known by: its own, and the one that servers without authentication make from its
 * name.
 */
export function uuidsOf({ uuid, name }: { readonly uuid: Uuid; readonly name: string }): readonly Uuid[] {
  return [uuid, offlineUuid(name)];
}

/**
 * The uuid that a server without authentication makes from a name: MD5, version 3, without a name space. Case
 * counts.
 */
export function offlineUuid(name: string): Uuid {
  const bytes = new Bun.CryptoHasher("md5").update(`OfflinePlayer:${name}`).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x30;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const uuid = parseUuid(bytes.toHex());
  if (uuid === null) throw new Error("MD5 has 32 hex digits");
  return uuid;
}
