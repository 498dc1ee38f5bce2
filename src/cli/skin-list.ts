import { optional } from "../boot/config/options.ts";
import { findMember } from "../domain/accounts/identifier.ts";
import type { TextureReads } from "../domain/ports/texture-store.ts";
import type { OwnedSkin } from "../domain/model/texture.ts";
import type { AccountId } from "../kernel/ids.ts";
import { command } from "./command.ts";
import { pageAfter, pagesOf, printList } from "./list-output.ts";
import { identifierKind } from "./member-options.ts";
import { json } from "./output.ts";
import { ownedSkinRecord } from "./records.ts";
import { withServices } from "./with-services.ts";

export const skinList = command({
  name: "skin list",
  summary: "lists the skins by id",
  details: "With --json each comes with the hash of its bitmap, which texture ban takes.",
  settings: "taken",
  options: {
    user: optional(identifierKind, "only this user's: id, uuid, username or mail address", "everybody's"),
    json,
  },
  run: async ({ user, json }, context) => {
    await withServices(context, async ({ reads: { accounts, textures } }) => {
      const owner = user === null ? null : (await findMember(accounts, user)).account.id;
      const pages = pagesOf(
        (after) => skinsAfter(textures, owner, after),
        ({ id }) => id,
      );
      const total = owner === null ? await textures.countAllSkins(null) : null;
      await printList(context.io, json, { pages, total, head, cells: skinCells, record: ownedSkinRecord });
    });
  },
});

/** A wardrobe is one page. */
async function skinsAfter(
  textures: TextureReads,
  owner: AccountId | null,
  after: number,
): Promise<readonly OwnedSkin[]> {
  if (owner === null) return textures.listAllSkins(pageAfter(after));
  return after === 0 ? textures.listSkinsOf(owner) : [];
}

const head = ["id", "uuid", "name", "owner", "model", "size", ""];

function skinCells({ id, uuid, name, ownerName, model, texture, isSelected }: OwnedSkin): string[] {
  const size = `${texture.width}x${texture.height}`;
  return [String(id), uuid, name, ownerName, model, size, isSelected ? "selected" : ""];
}
