import { text } from "../boot/config/kinds.ts";
import { required } from "../boot/config/options.ts";
import { revokeToken } from "../domain/services/tokens.ts";
import { command } from "./command.ts";
import { json, jsonText } from "./output.ts";
import { tokenRecord } from "./records.ts";
import { withServices } from "./with-services.ts";

export const tokenRevoke = command({
  name: "token revoke",
  summary: "makes a service's token worthless, at once",
  settings: "taken",
  positionals: { name: required(text("NAME"), "the service's name") },
  options: { json },
  run: async ({ name, json }, context) => {
    const token = await withServices(context, (services) => revokeToken(services, name));
    context.io.out(json ? jsonText(tokenRecord(token)) : `revoked the token of ${token.name}\n`);
  },
});
