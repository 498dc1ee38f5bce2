import { instant, path, text } from "../boot/config/kinds.ts";
import { optional, repeated, required } from "../boot/config/options.ts";
import { commandLine } from "../domain/model/actor.ts";
import { addCape } from "../domain/textures/capes.ts";
import { findOwners, refusePast } from "./cape-options.ts";
import { command } from "./command.ts";
import { aboutFile, readInput } from "./files.ts";
import { identifierKind } from "./member-options.ts";
import { json, jsonText } from "./output.ts";
import { countText, ownedCapeRecord } from "./records.ts";
import { withServices } from "./with-services.ts";

export const capeAdd = command({
  name: "cape add",
  summary: "makes a cape and grants it to its owners",
  settings: "taken",
  options: {
    file: required(path("FILE"), "PNG file of 64x32, 22x17, 46x22 or a multiple"),
    name: required(text("NAME"), "what its owners see"),
    owner: repeated(identifierKind, "who may wear it"),
    until: optional(instant, "when they may wear it no longer", "never"),
    json,
  },
  run: async ({ file, name, owner, until, json }, context) => {
    const record = await withServices(context, async (services, { textures }) => {
      refusePast(until, services.clock.nowSeconds());
      const owners = await findOwners(services, owner);
      const input = { file: await readInput(file, textures.bytesMax), name, owners, expiresAt: until };
      const cape = await addCape(services, commandLine, input).catch((cause: unknown) => {
        throw aboutFile(file, cause);
      });
      return ownedCapeRecord(cape);
    });
    const owners = countText(record.owners.length, "owner");
    context.io.out(
      json ? jsonText(record) : `cape ${record.id} (${record.uuid}, ${record.name}), ${owners}\n`,
    );
  },
});
