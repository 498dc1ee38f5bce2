import { textureHash } from "../boot/config/kinds.ts";
import { required } from "../boot/config/options.ts";
import { commandLine } from "../domain/model/actor.ts";
import { liftBan } from "../domain/textures/ban-texture.ts";
import { command } from "./command.ts";
import { json, jsonText } from "./output.ts";
import { banRecord } from "./records.ts";
import { withServices } from "./with-services.ts";

export const textureUnban = command({
  name: "texture unban",
  summary: "lets a banned bitmap in again",
  details: "Skins that the ban removed do not come back.",
  settings: "taken",
  positionals: { hash: required(textureHash, "the bitmap's hash") },
  options: { json },
  run: async ({ hash, json }, context) => {
    const ban = await withServices(context, (services) => liftBan(services, commandLine, hash));
    context.io.out(json ? jsonText(banRecord(ban)) : `lifted the ban of ${hash}\n`);
  },
});
