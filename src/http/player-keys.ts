import { mayBeUsername, nameKey } from "../domain/model/username.ts";
import type { CapeKey } from "../domain/ports/texture-store.ts";
import type { PlayerKey } from "../domain/textures/delivery.ts";
import { AppError } from "../kernel/errors.ts";
import { parseRowNumber, parseUuid, type CapeId } from "../kernel/ids.ts";

/** How addresses of every surface name players and capes. */

/** A uuid, or a text that may be a username. */
export function readPlayerKey(text: string): PlayerKey {
  const uuid = parseUuid(text);
  if (uuid !== null) return { by: "uuid", value: uuid };
  if (!mayBeUsername(text)) throw new AppError("invalid", "uuid: must be a UUID or a username");
  return { by: "name", value: nameKey(text) };
}

/** A player by name alone; null for what can be no name. */
export function findNameKey(text: string | null): PlayerKey | null {
  return text !== null && mayBeUsername(text) ? { by: "name", value: nameKey(text) } : null;
}

/** A uuid, a cape's number, or a text that may be a username. No username is a number. */
export function readCapeOrPlayerKey(text: string): CapeKey | PlayerKey {
  const id = parseRowNumber(text);
  if (id !== null) return { by: "id", value: id as CapeId }; // the store finds out whether a cape has it
  const uuid = parseUuid(text);
  if (uuid !== null) return { by: "uuid", value: uuid };
  if (!mayBeUsername(text))
    throw new AppError("invalid", "id: must be a UUID, a cape's number or a username");
  return { by: "name", value: nameKey(text) };
}

/** A uuid, or a cape's number. */
export function readCapeKey(text: string): CapeKey {
  const id = parseRowNumber(text);
  if (id !== null) return { by: "id", value: id as CapeId }; // the store finds out whether a cape has it
  const uuid = parseUuid(text);
  if (uuid === null) throw new AppError("invalid", "id: must be a UUID or a cape's number");
  return { by: "uuid", value: uuid };
}
