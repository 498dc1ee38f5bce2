import { instant } from "../boot/config/kinds.ts";
import { atLeastOne, optional } from "../boot/config/options.ts";
import { commandLine } from "../domain/model/actor.ts";
import { grantCape } from "../domain/members/grants.ts";
import { withGrants } from "../domain/textures/capes.ts";
import { cape, findOwners, refusePast } from "./cape-options.ts";
import { command } from "./command.ts";
import { identifierKind } from "./member-options.ts";
import { json, jsonText } from "./output.ts";
import { capeText, countText, listedCapeRecord, timeText } from "./records.ts";
import { withServices } from "./with-services.ts";

export const capeGrant = command({
  name: "cape grant",
  summary: "lets users wear a cape, beside those that they have",
  details: "What was granted before ends when this says.",
  settings: "taken",
  positionals: { cape },
  options: {
    owner: atLeastOne(identifierKind, "a user who may wear it"),
    until: optional(instant, "when they may wear it no longer", "never"),
    json,
  },
  run: async ({ cape: key, owner, until, json }, context) => {
    const { cape, users, listed } = await withServices(context, async (services) => {
      refusePast(until, services.clock.nowSeconds());
      const accounts = await findOwners(services, owner);
      const cape = await grantCape(services, commandLine, { cape: key, accounts, expiresAt: until });
      const listed = await withGrants(services.reads.textures, [cape]);
      return { cape, users: countText(accounts.length, "user"), listed };
    });
    const end = until === null ? "" : ` until ${timeText(until)}`;
    const [record] = listed.map(listedCapeRecord);
    context.io.out(json ? jsonText(record) : `${capeText(cape)}: ${users} may wear it${end}\n`);
  },
});
