import { text, textureHash } from "../boot/config/kinds.ts";
import { optional, required } from "../boot/config/options.ts";
import { commandLine } from "../domain/model/actor.ts";
import { banTexture } from "../domain/textures/ban-texture.ts";
import { command } from "./command.ts";
import { json, jsonText } from "./output.ts";
import { showProgress } from "./progress.ts";
import { banRecord, countText } from "./records.ts";
import { withServices } from "./with-services.ts";

export const textureBan = command({
  name: "texture ban",
  summary: "bans a bitmap, and removes it from every wardrobe",
  details:
    "It is refused wherever a texture comes in, whatever file it is in. One pixel that differs makes another bitmap. What a" +
    " cape shows is not banned: delete the cape first.",
  settings: "taken",
  positionals: { hash: required(textureHash, "the bitmap's hash, as in its address: /textures/<hash>") },
  options: { reason: optional(text("TEXT"), "why, for other staff"), json },
  run: async ({ hash, reason, json }, context) => {
    using shown = showProgress(context.io);
    const saw = (removed: number, of: number) => shown.progress("removing skins", removed, of);
    const { ban, skins } = await withServices(context, (services) =>
      banTexture(services, commandLine, { hash, reason: reason ?? "", saw }),
    );
    shown[Symbol.dispose]();
    context.io.out(
      json
        ? jsonText({ ...banRecord(ban), skins_removed: skins })
        : `banned ${hash}; ${countText(skins, "skin")} removed\n`,
    );
  },
});
