import { required } from "../boot/config/options.ts";
import { updateUser } from "../domain/members/administer.ts";
import { commandLine } from "../domain/model/actor.ts";
import { systemClock } from "../kernel/clock.ts";
import { command } from "./command.ts";
import { identifier, level, levelMeaning } from "./member-options.ts";
import { memberText, roleText } from "./records.ts";
import { withServices } from "./with-services.ts";

export const userSetLevel = command({
  name: "user set-level",
  summary: "says what an account may do",
  details: "A temporary role, which administrators give over HTTP, holds on until it ends.",
  settings: "taken",
  positionals: { identifier, level: required(level, levelMeaning) },
  run: async ({ identifier, level }, context) => {
    const input = { identifier, change: { permanentLevel: level } };
    const member = await withServices(context, (services) => updateUser(services, commandLine, input));
    const role = roleText(member, systemClock.nowSeconds());
    context.io.out(`${memberText(member)} has level ${level}${role === "" ? "" : `, but ${role}`}\n`);
  },
});
