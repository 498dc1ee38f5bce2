import { kind, refuse, text, type Kind } from "../boot/config/kinds.ts";
import { required, withDefault } from "../boot/config/options.ts";
import { commandLine } from "../domain/model/actor.ts";
import { serviceRights, usualRights, type ServiceRight } from "../domain/model/service-token.ts";
import { createToken, revokeToken } from "../domain/services/tokens.ts";
import { json } from "./arguments.ts";
import { command } from "./command.ts";
import { factsText, tableText } from "./output.ts";
import { timeText, tokenRecord } from "./records.ts";

const rights: Kind<readonly ServiceRight[]> = kind("RIGHT,…", (given) =>
  given.split(",").map((name) => {
    const known = serviceRights.find((right) => right === name.trim());
    return known ?? refuse(`must be some of ${serviceRights.join(", ")}, separated by commas`);
  }),
);

const rightsMeaning =
  "what it may do: find accounts, give levels (permission), read events, serve launch servers (launcher), grant and revoke capes (cape)";

/** `token create`: prints the token, which is shown only this once. */
export const tokenCreate = command({
  name: "token create",
  summary: "makes a token for another service and shows it, once",
  details:
    "The service sends it as Authorization: <token>. Only its hash is kept. The audit calls the service service:<name>.",
  positionals: { name: required(text("NAME"), "the service's name: 1 to 32 of a-z 0-9 . _ -") },
  options: { may: withDefault(rights, usualRights.join(","), rightsMeaning), json },
  run: async ({ name, may }, { withServices }) => {
    const { created, token } = await withServices(
      (services) => createToken(services, commandLine, name, may),
      {
        begins: true,
      },
    );
    return {
      record: { ...tokenRecord(created), token },
      text: factsText({ name: created.name, may: created.may.join(","), token }),
    };
  },
});

/** `token list`: prints a table of tokens with their rights and last use, never their values. */
export const tokenList = command({
  name: "token list",
  summary: "lists the tokens of services, without their values",
  details:
    "It does not contain the token of SERVICE_API_TOKEN, whose service is named default and may do everything. The last use" +
    " is exact to the minute; a running server writes it some seconds later.",
  options: { json },
  run: async (_, { withServices }) => {
    const tokens = await withServices(({ reads }) => reads.serviceTokens.listTokens());
    const rows = tokens.map(({ id, name, may, createdAt, lastUsedAt }) => [
      String(id),
      name,
      may.join(","),
      timeText(createdAt),
      lastUsedAt === null ? "never" : timeText(lastUsedAt),
    ]);
    const head = ["id", "name", "may", "created", "last used"];
    return { record: tokens.map(tokenRecord), text: tableText(head, rows) };
  },
});

/** `token revoke`: prints the name of the revoked token. Exits with 1 for an unknown one. */
export const tokenRevoke = command({
  name: "token revoke",
  summary: "makes a service's token invalid, at once",
  positionals: { name: required(text("NAME"), "the service's name") },
  options: { json },
  run: async ({ name }, { withServices }) => {
    const token = await withServices((services) => revokeToken(services, commandLine, name));
    return { record: tokenRecord(token), text: `revoked the token of ${token.name}\n` };
  },
});
