import type { Model } from "../../render/parts.ts";
import { wornSkinFile } from "../api/textures.ts";

/**
 * The arms of a player's default skin, as its file's header states them. The server's picture knows the arms,
 * so classic ones stand in when it cannot be asked.
 */
export async function askDefaultModel(player: string, signal?: AbortSignal): Promise<Model> {
  try {
    const { headers } = await fetch(wornSkinFile(player), { method: "HEAD", ...(signal && { signal }) });
    return headers.get("x-texture-default") === "slim" ? "slim" : "classic";
  } catch {
    return "classic";
  }
}
