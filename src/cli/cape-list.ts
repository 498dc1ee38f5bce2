import { withGrants, type ListedCape } from "../domain/textures/capes.ts";
import { command } from "./command.ts";
import { pageAfter, pagesOf, printList } from "./list-output.ts";
import { json } from "./output.ts";
import { listedCapeRecord } from "./records.ts";
import { withServices } from "./with-services.ts";

/** Each comes with a thousand grants at most. */
const pageRows = 100;

export const capeList = command({
  name: "cape list",
  summary: "lists the capes by id",
  details: "With --json each comes with the hash of its bitmap and its first 1000 grants.",
  settings: "taken",
  options: { json },
  run: async ({ json }, context) => {
    await withServices(context, async ({ reads: { textures } }) => {
      const read = async (after: number) =>
        withGrants(textures, await textures.listAllCapes(pageAfter(after, pageRows)));
      const pages = pagesOf(read, ({ cape }) => cape.id);
      const total = await textures.countAllCapes(null);
      const record = listedCapeRecord;
      await printList(context.io, json, { pages, total, head, cells: capeCells, record });
    });
  },
});

const head = ["id", "uuid", "name", "size", "owners", "by"];

function capeCells({ cape, count }: ListedCape): string[] {
  const { id, uuid, name, texture, uploadedBy } = cape;
  return [String(id), uuid, name, `${texture.width}x${texture.height}`, String(count), uploadedBy];
}
