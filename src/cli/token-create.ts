import { text } from "../boot/config/kinds.ts";
import { required } from "../boot/config/options.ts";
import { createToken } from "../domain/services/tokens.ts";
import { command } from "./command.ts";
import { factsText, json, jsonText } from "./output.ts";
import { tokenRecord } from "./records.ts";
import { withServices } from "./with-services.ts";

export const tokenCreate = command({
  name: "token create",
  summary: "makes a token for another service and shows it, once",
  details:
    "The service sends it as Authorization: <token>. Only its hash is kept. The audit calls the service service:<name>.",
  settings: "taken",
  positionals: {
    name: required(text("NAME"), "the service's name: 1 to 32 of a-z 0-9 . _ -"),
  },
  options: { json },
  run: async ({ name, json }, context) => {
    const { created, token } = await withServices(context, (services) => createToken(services, name), {
      begins: true,
    });
    const facts = { ...tokenRecord(created), token };
    context.io.out(json ? jsonText(facts) : factsText({ name: facts.name, token }));
  },
});
