import type { TextureBan } from "../domain/ports/ban-store.ts";
import { command } from "./command.ts";
import { pageAfter, pagesOf, printList } from "./list-output.ts";
import { json } from "./output.ts";
import { banRecord, timeText } from "./records.ts";
import { withServices } from "./with-services.ts";

export const textureBans = command({
  name: "texture bans",
  summary: "lists the banned bitmaps by id",
  settings: "taken",
  options: { json },
  run: async ({ json }, context) => {
    await withServices(context, async ({ reads: { textures } }) => {
      const pages = pagesOf(
        (after) => textures.listBans(pageAfter(after)),
        ({ id }) => id,
      );
      const total = await textures.countBans(null);
      await printList(context.io, json, { pages, total, head, cells: banCells, record: banRecord });
    });
  },
});

const head = ["id", "hash", "by", "time", "reason"];

function banCells({ id, hash, issuer, createdAt, reason }: TextureBan): string[] {
  return [String(id), hash, issuer, timeText(createdAt), reason];
}
