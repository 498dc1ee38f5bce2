import { openTextureSource } from "../../boot/textures.ts";
import type { TextureRow } from "../../domain/ports/texture-files.ts";
import { readTexture } from "../../domain/textures/stored-file.ts";
import { askAddress, askTexture, type TextureAnswer } from "../ask-server.ts";
import { certificateRefusal } from "./certificate-refusals.ts";
import { inDatabase } from "./database.ts";
import { ok, problem, reasonOf, warning, type Finding, type Subject } from "./finding.ts";
import { nextTextures } from "./textures.ts";

const clockSecondsMax = 30;
/** Of so many one is whole, unless most of them are lost. */
const triedMax = 5;

const isRunning = "is the server running, and do name and proxy lead to it?";

/** Whether the public address leads to this server's data. */
export async function* checkPublicUrl(subject: Subject, signal: AbortSignal): AsyncIterable<Finding> {
  const { publicUrl } = subject.config;
  if (publicUrl === null) {
    yield ok("not set: players reach the server where it listens");
    return;
  }
  const answer = await askAddress(`${publicUrl}/health/live`, { signal });
  if (answer.state === "silent") {
    const refused = certificateRefusal(answer.cause, { by: publicUrl, setting: "PUBLIC_URL", isOwn: true });
    yield refused ?? problem(`${publicUrl} does not answer: ${reasonOf(answer.cause)}`, isRunning);
  } else if (answer.state === "other") {
    yield problem(
      `${publicUrl} answers, but not as cloakroom (status ${answer.status})`,
      "set PUBLIC_URL to the address that the proxy forwards to this server, path included",
    );
  } else {
    const seconds = answer.date === null ? 0 : Math.abs(Math.round((Date.now() - answer.date) / 1000));
    if (seconds > clockSecondsMax)
      yield warning(`its clock and this machine's differ by ${seconds} seconds`, "set both with NTP");
    const [finding] = await compareTexture(publicUrl, signal)(subject);
    yield finding ?? ok(`${publicUrl} answers as cloakroom`);
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

/** What the answer for a texture says of the address. Only cloakroom itself knows that it has no such texture. */
function aboutTexture(publicUrl: string, { digest }: TextureRow, answer: TextureAnswer): Finding {
  const address = `${publicUrl}/textures/…`;
  if (answer.state === "silent")
    return problem(`${address} does not answer: ${reasonOf(answer.cause)}`, isRunning);
  const { status, tag, isOurs } = answer;
  if (status === 200 && tag.includes(digest)) return ok(`${publicUrl} leads to this server`);
  if (status === 404 && isOurs)
    return problem(
      `${publicUrl} leads to a cloakroom with other data: it does not know a texture that is here`,
      "check DATA_DIR or DATABASE_URL, and where the proxy leads",
    );
  if (status === 200)
    return warning(
      `${address} answers with another file than is here, or without its ETag`,
      "let no proxy or CDN change pictures or their headers; if nothing does, check where the proxy leads",
    );
  if (isOurs)
    return problem(
      `${address} answers with status ${status} for a texture that is here`,
      "the server's log says why, and so does what doctor says of textures and their bucket",
    );
  return problem(
    `${address} is answered by something else (status ${status})`,
    "let the proxy forward every path below PUBLIC_URL to this server, /textures too",
  );
}
