import type { TextureHash } from "../../kernel/ids.ts";
import type { LoggedEvent } from "../model/event.ts";

/**
 * An event as services get it, on one line. Textures are addresses below `publicUrl`
 * (docs/contract/service.md#events).
 */
export function eventJson({ id, at, type, ...body }: LoggedEvent, publicUrl: string): string {
  const { skin, cape, ...told } = body;
  const urlOf = (hash: TextureHash) => `${publicUrl}/textures/${hash}`;
  return JSON.stringify({
    id,
    at: new Date(at * 1000).toISOString(),
    type,
    ...told,
    ...(skin === undefined ? {} : { skin: skin && { url: urlOf(skin.hash), model: skin.model } }),
    ...(cape === undefined ? {} : { cape: cape && { url: urlOf(cape.hash) } }),
  });
}
