import { text, uuid } from "../boot/config/kinds.ts";
import { flag, optional, required } from "../boot/config/options.ts";
import { commandLine } from "../domain/model/actor.ts";
import { removeSkin } from "../domain/textures/moderate-skin.ts";
import { command } from "./command.ts";
import { showProgress } from "./progress.ts";
import { countText } from "./records.ts";
import { withServices } from "./with-services.ts";

export const skinDelete = command({
  name: "skin delete",
  summary: "deletes a skin from its owner's wardrobe",
  details:
    "It asks nothing and cannot be undone. A ban removes the same bitmap from every wardrobe, and refuses it wherever a" +
    " texture comes in.",
  settings: "taken",
  positionals: { uuid: required(uuid, "the skin's uuid") },
  options: {
    reason: optional(text("TEXT"), "why; mailed to the owner, if the address is verified"),
    ban: flag("ban the bitmap as well"),
  },
  run: async ({ uuid, reason, ban }, context) => {
    using shown = showProgress(context.io);
    const saw = (removed: number, of: number) => shown.progress("removing skins", removed, of);
    const { skin, skins } = await withServices(context, (services) =>
      removeSkin(services, commandLine, uuid, { reason: reason ?? "", ban, saw }),
    );
    shown[Symbol.dispose]();
    const { id, name, ownerName, texture } = skin;
    context.io.out(`deleted skin ${id} (${name}) of ${ownerName}\n`);
    if (ban) context.io.out(`banned ${texture.hash}; ${countText(skins, "skin")} removed\n`);
  },
});
