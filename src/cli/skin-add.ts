import { boolean, path, text } from "../boot/config/kinds.ts";
import { flag, optional, required } from "../boot/config/options.ts";
import { findMember } from "../domain/accounts/identifier.ts";
import { commandLine } from "../domain/model/actor.ts";
import type { SkinModel } from "../domain/model/texture.ts";
import { uploadSkin } from "../domain/textures/wardrobe.ts";
import { AppError } from "../kernel/errors.ts";
import { command } from "./command.ts";
import { aboutFile, readInput } from "./files.ts";
import { identifierKind } from "./member-options.ts";
import { json, jsonText } from "./output.ts";
import { skinRecord } from "./records.ts";
import { withServices } from "./with-services.ts";

export const skinAdd = command({
  name: "skin add",
  summary: "puts a skin into a user's wardrobe",
  settings: "taken",
  options: {
    user: required(identifierKind, "the owner's id, uuid, username or mail address"),
    file: required(path("FILE"), "PNG file of 64x64, 64x32 or a multiple"),
    name: optional(text("NAME"), "what the user sees in the wardrobe", "its number there"),
    slim: optional(boolean, "whether the arms are slim", "found from the pixels"),
    select: flag("wear it; a user's first skin is worn anyway"),
    json,
  },
  run: async ({ user, file, name, slim, select, json }, context) => {
    const record = await withServices(context, async (services, { textures }) => {
      const bytes = await readInput(file, textures.bytesMax);
      const { player, account } = await findMember(services.reads.accounts, user);
      if (player === null)
        throw new AppError("conflict", `user ${account.id} has no username yet, so no wardrobe`);
      const input = { file: bytes, model: modelOf(slim), name, select };
      const skin = await uploadSkin(services, commandLine, player, input).catch((cause: unknown) => {
        throw aboutFile(file, cause);
      });
      const { player: after } = await findMember(services.reads.accounts, user);
      return skinRecord(skin, after?.selectedSkinId === skin.id);
    });
    const state = record.selected ? "selected" : "not selected";
    context.io.out(
      json ? jsonText(record) : `skin ${record.id} (${record.uuid}, ${record.name}), ${state}\n`,
    );
  },
});

function modelOf(slim: boolean | null): SkinModel | null {
  if (slim === null) return null;
  return slim ? "slim" : "classic";
}
