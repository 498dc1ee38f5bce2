import { command } from "./command.ts";
import { json, jsonText, tableText } from "./output.ts";
import { timeText, tokenRecord } from "./records.ts";
import { withServices } from "./with-services.ts";

export const tokenList = command({
  name: "token list",
  summary: "lists the tokens of services, without their values",
  details: "The token of SERVICE_API_TOKEN, whose service is named default, is not among them.",
  settings: "taken",
  options: { json },
  run: async ({ json }, context) => {
    const tokens = await withServices(context, ({ reads }) => reads.serviceTokens.listTokens());
    if (json) return context.io.out(jsonText(tokens.map(tokenRecord)));
    const rows = tokens.map(({ id, name, createdAt }) => [String(id), name, timeText(createdAt)]);
    context.io.out(tableText(["id", "name", "created"], rows));
  },
});
