import { text, textureHash } from "../boot/config/kinds.ts";
import { optional, required } from "../boot/config/options.ts";
import { commandLine } from "../domain/model/actor.ts";
import type { TextureBan } from "../domain/ports/ban-store.ts";
import { banTexture, liftBan } from "../domain/textures/ban-texture.ts";
import { json } from "./arguments.ts";
import { command } from "./command.ts";
import { countText, pageAfter, pagesOf, printList, showProgress } from "./output.ts";
import { banRecord, timeText } from "./records.ts";

/**
 * `texture ban`: prints the ban and how many skins it removed. Exits with 1 for a bitmap that a cape shows.
 */
export const textureBan = command({
  name: "texture ban",
  summary: "bans a bitmap, and removes it from every wardrobe",
  details:
    "Every later upload of it is refused, in whatever file it comes. A bitmap that differs in one pixel is another one. The" +
    " bitmap of a cape cannot be banned: delete the cape first.",
  positionals: { hash: required(textureHash, "the bitmap's hash, as in its address: /textures/<hash>") },
  options: { reason: optional(text("TEXT"), "why, for other staff"), json },
  run: async ({ hash, reason }, { io, withServices }) => {
    using shown = showProgress(io);
    const saw = (removed: number, of: number) => shown.progress("removing skins", removed, of);
    const { ban, skins } = await withServices((services) =>
      banTexture(services, commandLine, { hash, reason: reason ?? "", saw }),
    );
    return {
      record: { ...banRecord(ban), skins_removed: skins },
      text: `banned ${hash}; ${countText(skins, "skin")} removed\n`,
    };
  },
});

/** `texture unban`: prints the ban that was lifted. Exits with 1 for a bitmap that is not banned. */
export const textureUnban = command({
  name: "texture unban",
  summary: "allows a banned bitmap again",
  details: "Skins that the ban removed do not come back.",
  positionals: { hash: required(textureHash, "the bitmap's hash") },
  options: { json },
  run: async ({ hash }, { withServices }) => {
    const ban = await withServices((services) => liftBan(services, commandLine, hash));
    return { record: banRecord(ban), text: `lifted the ban of ${hash}\n` };
  },
});

const head = ["id", "hash", "by", "time", "reason"];

/** `texture bans`: prints a table of all bans. */
export const textureBans = command({
  name: "texture bans",
  summary: "lists the banned bitmaps by id",
  options: { json },
  run: async ({ json }, { io, withServices }) => {
    await withServices(async ({ reads: { textures } }) => {
      const pages = pagesOf(
        (after) => textures.listBans(pageAfter(after)),
        ({ id }) => id,
      );
      const total = await textures.countBans(null);
      await printList(io, json, { pages, total, head, cells: banCells, record: banRecord });
    });
  },
});

function banCells({ id, hash, issuer, createdAt, reason }: TextureBan): string[] {
  return [String(id), hash, issuer, timeText(createdAt), reason];
}
