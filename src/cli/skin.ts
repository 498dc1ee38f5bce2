import { boolean, path, text, uuid } from "../boot/config/kinds.ts";
import { flag, optional, required } from "../boot/config/options.ts";
import { findMember } from "../domain/accounts/identifier.ts";
import { commandLine } from "../domain/model/actor.ts";
import type { OwnedSkin, SkinModel } from "../domain/model/texture.ts";
import { removeSkin } from "../domain/textures/moderate-skin.ts";
import { uploadSkin } from "../domain/textures/wardrobe.ts";
import { PlainError } from "../kernel/errors.ts";
import { identifierKind, json } from "./arguments.ts";
import { command } from "./command.ts";
import { aboutFile, readInput } from "./faults.ts";
import { countText, pageAfter, pagesOf, printList, showProgress } from "./output.ts";
import { ownedSkinRecord, skinRecord } from "./records.ts";

/** `skin add`: prints the new skin. Exits with 1 for an account without a player. */
export const skinAdd = command({
  name: "skin add",
  summary: "puts a skin into a user's wardrobe",
  options: {
    user: required(identifierKind, "the owner's id, uuid, username or mail address"),
    file: required(path("FILE"), "PNG file of 64x64, 64x32 or a multiple"),
    name: optional(text("NAME"), "what the user sees in the wardrobe", "its number there"),
    slim: optional(boolean, "whether the arms are slim", "found from the pixels"),
    select: flag("wear it; a user's first skin is worn anyway"),
    json,
  },
  run: async ({ user, file, name, slim, select }, { withServices }) => {
    const record = await withServices(async (services, { rules }) => {
      const bytes = await readInput(file, rules.textures.bytesMax);
      const { player, account } = await findMember(services.reads.accounts, user);
      if (player === null)
        throw new PlainError("conflict", `user ${account.id} has no username yet, so no wardrobe`);
      const input = { file: bytes, model: modelOf(slim), name, select };
      const skin = await uploadSkin(services, commandLine, player, input).catch(aboutFile(file));
      const { player: after } = await findMember(services.reads.accounts, user);
      return skinRecord(skin, after?.selectedSkinId === skin.id);
    });
    const state = record.selected ? "selected" : "not selected";
    return { record, text: `skin ${record.id} (${record.uuid}, ${record.name}), ${state}\n` };
  },
});

function modelOf(slim: boolean | null): SkinModel | null {
  if (slim === null) return null;
  return slim ? "slim" : "classic";
}

const head = ["id", "uuid", "name", "owner", "model", "size", ""];

/** `skin list`: prints a table of all skins, or of one account's. */
export const skinList = command({
  name: "skin list",
  summary: "lists the skins by id",
  details: "With --json each comes with the hash of its bitmap, which texture ban takes.",
  options: {
    user: optional(identifierKind, "only this user's: id, uuid, username or mail address", "everybody's"),
    json,
  },
  run: async ({ user, json }, { io, withServices }) => {
    await withServices(async ({ reads: { accounts, textures } }) => {
      const owner = user === null ? null : (await findMember(accounts, user)).account.id;
      const read = (after: number) => {
        if (owner === null) return textures.listAllSkins(pageAfter(after));
        // A wardrobe is one page.
        return after === 0 ? textures.listSkinsOf(owner) : Promise.resolve([]);
      };
      const pages = pagesOf(read, ({ id }) => id);
      const total = owner === null ? await textures.countAllSkins(null) : null;
      await printList(io, json, { pages, total, head, cells: skinCells, record: ownedSkinRecord });
    });
  },
});

function skinCells({ id, uuid, name, ownerName, model, texture, isSelected }: OwnedSkin): string[] {
  const size = `${texture.width}x${texture.height}`;
  return [String(id), uuid, name, ownerName, model, size, isSelected ? "selected" : ""];
}

/** `skin delete`: prints the deleted skin and, with `--ban`, how many others the ban removed. */
export const skinDelete = command({
  name: "skin delete",
  summary: "deletes a skin from its owner's wardrobe",
  details:
    "It does not ask, and cannot be undone. A ban also removes the same bitmap from every wardrobe, and refuses it in every" +
    " later upload.",
  positionals: { uuid: required(uuid, "the skin's uuid") },
  options: {
    reason: optional(text("TEXT"), "why; mailed to the owner, if the address is verified"),
    ban: flag("ban the bitmap as well"),
  },
  run: async ({ uuid, reason, ban }, { io, withServices }) => {
    using shown = showProgress(io);
    const saw = (removed: number, of: number) => shown.progress("removing skins", removed, of);
    const { skin, skins } = await withServices((services) =>
      removeSkin(services, commandLine, uuid, { reason: reason ?? "", ban, saw }),
    );
    const { id, name, ownerName, texture } = skin;
    const banned = ban ? `banned ${texture.hash}; ${countText(skins, "skin")} removed\n` : "";
    return `deleted skin ${id} (${name}) of ${ownerName}\n${banned}`;
  },
});
