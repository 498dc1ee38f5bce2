import { hexHash } from "../boot/config/kinds.ts";
import { optional } from "../boot/config/options.ts";
import { verifyChain, type ChainReport } from "../domain/audit/verify-chain.ts";
import { AppError } from "../kernel/errors.ts";
import { command, type Context } from "./command.ts";
import { json, jsonText } from "./output.ts";
import { withServices } from "./with-services.ts";

export const auditVerify = command({
  name: "audit verify",
  summary: "checks the audit's chain of hashes and names the first entry that does not hold",
  details:
    "Whoever can write the database can also make the whole chain anew, or take entries away at its end. So note the newest" +
    " hash elsewhere from time to time: --head tells whether it is still in the chain.",
  settings: "taken",
  options: { head: optional(hexHash, "a hash that was the newest once, and must be in the chain"), json },
  run: async ({ head, json }, context) => {
    const onProgress = progressOn(context.io);
    const report = await withServices(context, ({ reads }) =>
      verifyChain(reads.audit, { noted: head, onProgress }),
    );
    const problem = problemOf(report, head);
    if (json) context.io.out(jsonText({ holds: problem === null, ...reportRecord(report, head) }));
    if (problem !== null) throw new AppError("conflict", problem);
    if (!json) context.io.out(reportText(report));
  },
});

function problemOf({ fault, notedEntry }: ChainReport, head: string | null): string | null {
  if (fault !== null) return `the audit is broken at entry ${fault.entry}: ${fault.problem}`;
  if (head === null || notedEntry !== null) return null;
  return `the audit's chain was made anew, or its end was: no entry has the hash ${head}`;
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
  return `${newest.id} ${newest.id === 1 ? "entry holds" : "entries hold"}; the newest hash is ${newest.hash}\n${noted}`;
}

/** So many entries are a fifth of a second. */
const progressStep = 100_000;

/** Tells a person who waits how far it is. */
function progressOn(io: Context["io"]): (entries: number) => void {
  return (entries) => {
    if (io.errorIsTerminal && entries % progressStep === 0) io.error(`${entries} entries checked\n`);
  };
}
