import { text } from "../boot/config/kinds.ts";
import { required } from "../boot/config/options.ts";
import { createToken, revokeToken } from "../domain/services/tokens.ts";
import { json } from "./arguments.ts";
import { command } from "./command.ts";
import { factsText, tableText } from "./output.ts";
import { timeText, tokenRecord } from "./records.ts";

export const tokenCreate = command({
  name: "token create",
  summary: "makes a token for another service and shows it, once",
  details:
    "The service sends it as Authorization: <token>. Only its hash is kept. The audit calls the service service:<name>.",
  positionals: { name: required(text("NAME"), "the service's name: 1 to 32 of a-z 0-9 . _ -") },
  options: { json },
  run: async ({ name }, { withServices }) => {
    const { created, token } = await withServices((services) => createToken(services, name), {
      begins: true,
    });
    return {
      record: { ...tokenRecord(created), token },
      text: factsText({ name: created.name, token }),
    };
  },
});

export const tokenList = command({
  name: "token list",
  summary: "lists the tokens of services, without their values",
  details: "It does not contain the token of SERVICE_API_TOKEN, whose service is named default.",
  options: { json },
  run: async (_, { withServices }) => {
    const tokens = await withServices(({ reads }) => reads.serviceTokens.listTokens());
    const rows = tokens.map(({ id, name, createdAt }) => [String(id), name, timeText(createdAt)]);
    return { record: tokens.map(tokenRecord), text: tableText(["id", "name", "created"], rows) };
  },
});

export const tokenRevoke = command({
  name: "token revoke",
  summary: "makes a service's token invalid, at once",
  positionals: { name: required(text("NAME"), "the service's name") },
  options: { json },
  run: async ({ name }, { withServices }) => {
    const token = await withServices((services) => revokeToken(services, name));
    return { record: tokenRecord(token), text: `revoked the token of ${token.name}\n` };
  },
});
