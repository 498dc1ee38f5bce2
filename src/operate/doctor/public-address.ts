import { openTextureSource } from "../../boot/textures.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import type { TextureRow } from "../../domain/ports/texture-files.ts";
import { readTexture } from "../../domain/textures/stored-file.ts";
import { askAddress, askTexture, type TextureAnswer } from "../ask-server.ts";
import { certificateRefusal } from "./certificate-refusals.ts";
import { inDatabase } from "./database.ts";
import { reasonOf, type Subject } from "./finding.ts";
import { nextTextures } from "./textures.ts";

const clockSecondsMax = 30;
/** Among this many, at least one is intact unless most are lost. */
const triedMax = 5;

/** Whether the public address leads to this server's data. */
export async function* checkPublicUrl(subject: Subject, signal: AbortSignal): AsyncIterable<CodedFinding> {
  const { publicUrl } = subject.config;
  if (publicUrl === null) {
    yield found("address_unset");
    return;
  }
  const answer = await askAddress(`${publicUrl}/health/live`, { signal });
  if (answer.state === "silent") {
    const refused = certificateRefusal(answer.cause, { by: publicUrl, setting: "PUBLIC_URL", own: true });
    yield refused ?? found("address_silent", { address: publicUrl, reason: reasonOf(answer.cause) });
  } else if (answer.state === "other") {
    yield found("address_foreign", { address: publicUrl, status: answer.status });
  } else {
    const seconds = answer.date === null ? 0 : Math.abs(Math.round((Date.now() - answer.date) / 1000));
    if (seconds > clockSecondsMax) yield found("address_clock", { seconds });
    const [finding] = await compareTexture(publicUrl, signal)(subject);
    yield finding ?? found("address_answers", { address: publicUrl });
  }
}

/** Asks the address for a texture that is here and whole. Finds nothing where there is no such texture. */
function compareTexture(publicUrl: string, signal: AbortSignal) {
  return inDatabase(async (inspection, { config, folder }) => {
    const textures = await openTextureSource(config, folder);
    for await (const row of nextTextures(inspection, triedMax)) {
      const found = await readTexture(textures, row).catch(() => "missing" as const);
      if (typeof found === "string") continue;
      return [aboutTexture(publicUrl, row, await askTexture(`${publicUrl}/textures/${row.hash}`, signal))];
    }
    return [];
  });
}

/**
 * What the answer for a texture says of the address. Only cloakroom itself knows that it has no such texture.
 */
function aboutTexture(publicUrl: string, { digest }: TextureRow, answer: TextureAnswer): CodedFinding {
  const address = `${publicUrl}/textures/…`;
  if (answer.state === "silent") return found("address_silent", { address, reason: reasonOf(answer.cause) });
  const { status, tag, isOurs } = answer;
  if (status === 200 && tag.includes(digest)) return found("address_leads_here", { address: publicUrl });
  if (status === 404 && isOurs) return found("address_other_data", { address: publicUrl });
  if (status === 200) return found("texture_changed", { address });
  return found(isOurs ? "texture_refused" : "texture_foreign", { address, status });
}
