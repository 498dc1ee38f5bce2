import { integer } from "../boot/config/kinds.ts";
import { flag, optional } from "../boot/config/options.ts";
import type { ChainedEntry } from "../domain/model/audit-chain.ts";
import { chainPages } from "../domain/audit/verify-chain.ts";
import { command } from "./command.ts";
import { withServices } from "./with-services.ts";

export const auditExport = command({
  name: "audit export",
  summary: "prints the audit as JSON lines, the oldest entry first",
  details:
    "Every line can be checked without this program. Its hash is the SHA-256 of the JSON list [previous_hash, id, iss, action," +
    " for, time, detail, version, actor_id, actor_via] without blanks, of which lines of version 1 have the first seven, and its" +
    " previous_hash is the hash of the line before. A line's version is never lower than that of the line before. The detail is" +
    " JSON within a text, because the hash is over that very text.",
  settings: "taken",
  options: {
    after: optional(integer(0, Number.MAX_SAFE_INTEGER), "only entries with a higher id", "all"),
    json: flag("print JSON lines, as without it"),
  },
  run: async ({ after }, context) => {
    await withServices(context, async ({ reads }) => {
      for await (const page of chainPages(reads.audit, after ?? 0)) {
        const lines = page.map((entry) => `${JSON.stringify(entryRecord(entry))}\n`);
        if (!(await context.io.stream(lines.join("")))) return;
      }
    });
  },
});

/** As `GET /api/admin/audit` lists it, with the chain. */
function entryRecord(entry: ChainedEntry) {
  const { id, issuer, action, forAccountId, at, detail, version, previousHash, hash } = entry;
  const actor = { actor_id: entry.actorAccountId, actor_via: entry.actorVia };
  const facts = { id, iss: issuer, ...actor, action, for: forAccountId, time: at, detail };
  return { ...facts, version, previous_hash: previousHash, hash };
}
