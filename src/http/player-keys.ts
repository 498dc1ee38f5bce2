import { rules } from "./rules.ts";
import { mayBeUsername, nameKey } from "../domain/model/username.ts";
import type { CapeKey } from "../domain/ports/texture-store.ts";
import type { PlayerKey } from "../domain/textures/delivery.ts";
import { parseRowNumber, parseUuid, type CapeId } from "../kernel/ids.ts";

/** How addresses and bodies of every surface name players and capes. */

type UuidKey = PlayerKey & { readonly by: "uuid" };
type NameKey = PlayerKey & { readonly by: "name" };

/** A name as a key, whether a player can have it or not. */
export function nameKeyOf(name: string): NameKey {
  return { by: "name", value: nameKey(name) };
}

/** A player by name alone; null for what can be no name. */
export function parseNameKey(text: string | null): NameKey | null {
  return text !== null && mayBeUsername(text) ? nameKeyOf(text) : null;
}

/** A uuid, or a text that may be a username. */
export function readPlayerKey(text: string, refused = () => rules.uuidOrName({ field: "uuid" })): PlayerKey {
  const key = parseUuidKey(text) ?? parseNameKey(text);
  if (key === null) throw refused();
  return key;
}

/** A uuid, or a cape's number; null for what is neither. */
export function parseCapeKey(text: string): CapeKey | null {
  const id = parseRowNumber(text);
  // The store finds out whether a cape has the number.
  return id === null ? parseUuidKey(text) : { by: "id", value: id as CapeId };
}

/** A uuid, or a cape's number. */
export function readCapeKey(text: string): CapeKey {
  const key = parseCapeKey(text);
  if (key === null) throw rules.uuidOrNumber({ field: "id" });
  return key;
}

/** A uuid, a cape's number, or a text that may be a username. No username is a number. */
export function readCapeOrPlayerKey(text: string): CapeKey | NameKey {
  const key = parseCapeKey(text) ?? parseNameKey(text);
  if (key === null) throw rules.uuidNumberOrName({ field: "id" });
  return key;
}

function parseUuidKey(text: string): UuidKey | null {
  const uuid = parseUuid(text);
  return uuid === null ? null : { by: "uuid", value: uuid };
}
