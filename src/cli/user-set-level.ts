import { required } from "../boot/config/options.ts";
import { setLevel } from "../domain/accounts/administer.ts";
import { commandLine } from "../domain/audit/audit.ts";
import { command } from "./command.ts";
import { identifier, level, levelMeaning } from "./member-options.ts";
import { memberText } from "./records.ts";
import { withServices } from "./with-services.ts";

export const userSetLevel = command({
  name: "user set-level",
  summary: "says what an account may do",
  settings: "taken",
  positionals: { identifier, level: required(level, levelMeaning) },
  run: async (input, context) => {
    const member = await withServices(context, (services) => setLevel(services, commandLine, input));
    context.io.out(`${memberText(member)} has level ${member.account.permanentLevel}\n`);
  },
});
