import { commandLine } from "../domain/model/actor.ts";
import { deleteCape } from "../domain/textures/capes.ts";
import { AppError } from "../kernel/errors.ts";
import { cape } from "./cape-options.ts";
import { command } from "./command.ts";
import { capeText } from "./records.ts";
import { withServices } from "./with-services.ts";

export const capeDelete = command({
  name: "cape delete",
  summary: "deletes a cape, off every skin",
  details: "It asks nothing and cannot be undone.",
  settings: "taken",
  positionals: { cape },
  run: async ({ cape: key }, context) => {
    const deleted = await withServices(context, async (services) => {
      const found = await services.reads.textures.findCape(key);
      if (found === null) throw new AppError("not_found", `there is no cape ${key.value}`);
      return deleteCape(services, commandLine, found.uuid);
    });
    context.io.out(`deleted ${capeText(deleted)}\n`);
  },
});
