import { path, text } from "../boot/config/kinds.ts";
import { repeated, required } from "../boot/config/options.ts";
import { commandLine } from "../domain/audit/audit.ts";
import { addCape } from "../domain/textures/add-cape.ts";
import { command } from "./command.ts";
import { aboutFile, readInput } from "./files.ts";
import { identifierKind } from "./member-options.ts";
import { json, jsonText } from "./output.ts";
import { ownedCapeRecord } from "./records.ts";
import { withServices } from "./with-services.ts";

export const capeAdd = command({
  name: "cape add",
  summary: "makes a cape and grants it to its owners",
  settings: "taken",
  options: {
    file: required(path("FILE"), "PNG file of 64x32, 22x17, 46x22 or a multiple"),
    name: required(text("NAME"), "what its owners see"),
    owner: repeated(identifierKind, "who may wear it"),
    json,
  },
  run: async ({ file, name, owner, json }, context) => {
    const record = await withServices(context, async (services, { textures }) => {
      const input = { file: await readInput(file, textures.bytesMax), name, owners: owner };
      const cape = await addCape(services, commandLine, input).catch((cause: unknown) => {
        throw aboutFile(file, cause);
      });
      return ownedCapeRecord(cape);
    });
    const owners = record.owners.length === 1 ? "1 owner" : `${record.owners.length} owners`;
    context.io.out(
      json ? jsonText(record) : `cape ${record.id} (${record.uuid}, ${record.name}), ${owners}\n`,
    );
  },
});
