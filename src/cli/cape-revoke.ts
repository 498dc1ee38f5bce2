import { atLeastOne } from "../boot/config/options.ts";
import { commandLine } from "../domain/model/actor.ts";
import { revokeCape } from "../domain/members/grants.ts";
import { withGrants } from "../domain/textures/capes.ts";
import { cape, findOwners } from "./cape-options.ts";
import { command } from "./command.ts";
import { identifierKind } from "./member-options.ts";
import { json, jsonText } from "./output.ts";
import { capeText, countText, listedCapeRecord } from "./records.ts";
import { withServices } from "./with-services.ts";

export const capeRevoke = command({
  name: "cape revoke",
  summary: "takes a cape from users, and off their skins",
  settings: "taken",
  positionals: { cape },
  options: { owner: atLeastOne(identifierKind, "a user who may wear it no longer"), json },
  run: async ({ cape: key, owner, json }, context) => {
    const { cape, users, listed } = await withServices(context, async (services) => {
      const accounts = await findOwners(services, owner);
      const cape = await revokeCape(services, commandLine, { cape: key, accounts });
      const listed = await withGrants(services.reads.textures, [cape]);
      return { cape, users: countText(accounts.length, "user"), listed };
    });
    const [record] = listed.map(listedCapeRecord);
    context.io.out(json ? jsonText(record) : `${capeText(cape)}: ${users} may not wear it\n`);
  },
});
