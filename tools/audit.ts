/*
 * Asks the registry for known holes in what is locked, tools included: `bun run gate:audit`.
 *
 * Exits with 0 when there are none but accepted ones, with 1 when there are others, and with 75 (try again later) when the
 * registry could not be asked: without a network, or where a mirror has no advisories. The gate passes then, and says so.
 */
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { projectFolder } from "./bundle.ts";
import { exitCodes } from "./exit-codes.ts";

export type Advisory = { readonly package: string; readonly url: string; readonly title: string };

export type Acceptance = {
  /** The end of the advisory's address: `GHSA-…`. */
  readonly id: string;
  readonly reason: string;
  /** The day from which on it counts again, as `2027-01-31`. */
  readonly lookAgain: string;
};

/** Holes that do not reach us. Each says why, and when somebody has to look again. */
const accepted: readonly Acceptance[] = [];

const answerSchema = Type.Record(
  Type.String(),
  Type.Array(Type.Object({ url: Type.String(), title: Type.String() })),
);

const patienceMs = 30_000;

if (import.meta.main) process.exitCode = await audit();

async function audit(): Promise<number> {
  const asked = Bun.spawnSync([process.execPath, "audit", "--json"], {
    cwd: projectFolder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: patienceMs,
  });
  const advisories = parseAdvisories(asked.stdout.toString());
  if (!advisories) {
    const reason = asked.stderr.toString().trim() || `no answer within ${patienceMs / 1000} s`;
    console.error(`audit: NOT CHECKED, the registry could not be asked for known holes (${reason})`);
    return exitCodes.tryAgain;
  }
  const open = openAdvisories(advisories, accepted, new Date().toISOString().slice(0, 10));
  for (const { package: name, title, url } of open) console.error(`audit: ${name}: ${title} (${url})`);
  console.log(`audit: ${open.length} open, ${advisories.length - open.length} accepted`);
  return open.length === 0 ? exitCodes.passed : exitCodes.failed;
}

/** Holes that were not accepted, and those whose day to look again has come. */
export function openAdvisories(
  advisories: readonly Advisory[],
  acceptances: readonly Acceptance[],
  today: string,
): readonly Advisory[] {
  const settled = new Set(acceptances.filter(({ lookAgain }) => today < lookAgain).map(({ id }) => id));
  return advisories.filter(({ url }) => !settled.has(url.slice(url.lastIndexOf("/") + 1)));
}

/** The registry's answer, or null where it is none: `{"package": [{"url": …, "title": …}]}`, `{}` without findings. */
export function parseAdvisories(text: string): readonly Advisory[] | null {
  const answer = parseJson(text);
  if (!Value.Check(answerSchema, answer)) return null;
  return Object.entries(answer).flatMap(([name, found]) => found.map((one) => ({ ...one, package: name })));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
