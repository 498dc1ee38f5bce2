import { updateUser } from "../domain/members/administer.ts";
import { commandLine } from "../domain/model/actor.ts";
import { command } from "./command.ts";
import { identifier } from "./member-options.ts";
import { newPassword, passwordOptions } from "./new-password.ts";
import { json, jsonText } from "./output.ts";
import { memberText, userRecord } from "./records.ts";
import { withServices } from "./with-services.ts";
import { systemClock } from "../kernel/clock.ts";

const name = "user set-password";

export const userSetPassword = command({
  name,
  summary: "gives an account a new password and ends its sessions",
  details: "The account's mail address gets a notice.",
  settings: "taken",
  positionals: { identifier },
  options: { ...passwordOptions, json },
  run: async ({ identifier, json, ...given }, context) => {
    const { password, made } = await newPassword(given, context.io, name);
    const input = { identifier, change: { password } };
    const member = await withServices(context, (services) => updateUser(services, commandLine, input));
    if (json)
      return context.io.out(
        jsonText({
          ...userRecord(member, systemClock.nowSeconds()),
          ...(made === null ? {} : { password: made }),
        }),
      );
    context.io.out(`${memberText(member)} has a new password${made === null ? "" : `: ${made}`}\n`);
  },
});
