import { hexHash, integer } from "../boot/config/kinds.ts";
import { flag, optional } from "../boot/config/options.ts";
import { chainPages, verifyChain, type ChainReport } from "../domain/audit/verify-chain.ts";
import type { ChainedEntry } from "../domain/model/audit-chain.ts";
import { PlainError } from "../kernel/errors.ts";
import { json } from "./arguments.ts";
import { command, type Context } from "./command.ts";
import { countText } from "./output.ts";

/**
 * `audit verify`: prints the number of entries and the newest hash. Exits with 1 and the first broken entry
 * if the chain does not hold.
 */
export const auditVerify = command({
  name: "audit verify",
  summary: "checks the audit's chain of hashes and names the first broken entry",
  details:
    "A person who can write to the database can also replace the whole chain, or remove entries at its end. So note the newest" +
    " hash elsewhere from time to time: --head checks whether it is still in the chain.",
  options: { head: optional(hexHash, "an earlier newest hash, which must be in the chain"), json },
  run: async ({ head }, { io, withServices }) => {
    const onProgress = progressOn(io);
    const report = await withServices(({ reads }) => verifyChain(reads.audit, { noted: head, onProgress }));
    const problem = problemOf(report, head);
    return {
      record: { holds: problem === null, ...reportRecord(report, head) },
      text: problem === null ? reportText(report) : "",
      failure: problem === null ? null : new PlainError("conflict", problem),
    };
  },
});

function problemOf({ fault, notedEntry }: ChainReport, head: string | null): string | null {
  if (fault !== null) return `the audit is broken at entry ${fault.entry}: ${fault.problem}`;
  if (head === null || notedEntry !== null) return null;
  return `the audit's chain or its end was replaced: no entry has the hash ${head}`;
}

function reportRecord({ newest, fault, notedEntry }: ChainReport, head: string | null) {
  return {
    entries: newest.id,
    newest_hash: newest.hash,
    broken_entry: fault?.entry ?? null,
    problem: fault?.problem ?? null,
    ...(head === null ? {} : { head_entry: notedEntry }),
  };
}

function reportText({ newest, notedEntry }: ChainReport): string {
  if (newest.id === 0) return "the audit has no entries\n";
  const noted = notedEntry === null ? "" : `the hash that was noted is that of entry ${notedEntry}\n`;
  return `${countText(newest.id, "entry holds", "entries hold")}; the newest hash is ${newest.hash}\n${noted}`;
}

/** Checking this many entries takes a fifth of a second. */
const progressStep = 100_000;

function progressOn(io: Context["io"]): (entries: number) => void {
  return (entries) => {
    if (io.errorIsTerminal && entries % progressStep === 0) io.error(`${entries} entries checked\n`);
  };
}

/** `audit export`: prints every entry as a line of JSON, for archives and for checks without this program. */
export const auditExport = command({
  name: "audit export",
  summary: "prints the audit as JSON lines, the oldest entry first",
  details:
    "Every line can be checked without this program. Its hash is the SHA-256 of the JSON list [previous_hash, id, iss, action," +
    " for, time, detail, version, actor_id, actor_via] without blanks; lines of version 1 have only the first seven of these. Its" +
    " previous_hash is the hash of the line before. The version never decreases from one line to the next. The detail is" +
    " JSON within a text, because the hash covers that exact text.",
  options: {
    after: optional(integer(0, Number.MAX_SAFE_INTEGER), "only entries with a higher id", "all"),
    json: flag("print JSON lines, which it does anyway"),
  },
  run: async ({ after }, { io, withServices }) => {
    await withServices(async ({ reads }) => {
      for await (const page of chainPages(reads.audit, after ?? 0)) {
        const lines = page.map((entry) => `${JSON.stringify(entryRecord(entry))}\n`);
        if (!(await io.stream(lines.join("")))) return;
      }
    });
  },
});

/** As `GET /api/admin/audit` lists it, with the chain. */
function entryRecord(entry: ChainedEntry) {
  const { id, actorName, action, forAccountId, at, detail, version, previousHash, hash } = entry;
  const actor = { actor_id: entry.actorAccountId, actor_via: entry.actorVia };
  const facts = { id, iss: actorName, ...actor, action, for: forAccountId, time: at, detail };
  return { ...facts, version, previous_hash: previousHash, hash };
}
