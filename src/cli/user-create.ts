import { text } from "../boot/config/kinds.ts";
import { flag, optional, required } from "../boot/config/options.ts";
import type { Services } from "../boot/services.ts";
import { createAccount } from "../domain/accounts/create-account.ts";
import type { Level } from "../domain/model/account.ts";
import { commandLine } from "../domain/model/actor.ts";
import { command, UsageError } from "./command.ts";
import { level, levelMeaning } from "./member-options.ts";
import { newPassword, passwordOptions } from "./new-password.ts";
import { factsText, json, jsonText } from "./output.ts";
import { readable, userRecord } from "./records.ts";
import { withServices } from "./with-services.ts";
import { systemClock } from "../kernel/clock.ts";

const name = "user create";

export const userCreate = command({
  name,
  summary: "makes an account",
  settings: "taken",
  options: {
    mail: required(text("MAIL"), "mail address, also for signing in"),
    username: optional(text("NAME"), "name in the game", "chosen by the user, who finishes registration"),
    ...passwordOptions,
    level: optional(level, levelMeaning, "1"),
    admin: flag("the same as --level 3"),
    unverified: flag("the mail address still has to be confirmed"),
    json,
  },
  run: async ({ mail, username, level, admin, unverified, json, ...given }, context) => {
    const chosen = chosenLevel(level, admin);
    const { password, made } = await newPassword(given, context.io, name);
    const input = { mail, username, password, level: chosen, mailVerified: !unverified };
    const create = (services: Services) => createAccount(services, commandLine, input);
    const member = await withServices(context, create, { begins: true });
    const facts = {
      ...userRecord(member, systemClock.nowSeconds()),
      ...(made === null ? {} : { password: made }),
    };
    context.io.out(json ? jsonText(facts) : factsText(readable(facts)));
  },
});

function chosenLevel(level: Level | null, admin: boolean): Level {
  if (admin && level !== null && level !== 3) {
    throw new UsageError([`--admin means --level 3, not --level ${level}`], name);
  }
  return admin ? 3 : (level ?? 1);
}
