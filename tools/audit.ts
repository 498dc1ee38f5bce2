/*
 * Asks the registry for known vulnerabilities of the locked packages, tools included: `bun run gate:audit`.
 *
 * Exits with 0 without vulnerabilities that are not accepted, with 1 otherwise, and with 75 (try again later)
 * when the registry could not be asked: without a network, or where a mirror has no advisories. The gate then
 * passes and says so.
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
  /** The day on which the acceptance ends, as `2027-01-31`. */
  readonly lookAgain: string;
};

/** Vulnerabilities that do not affect the project. Each says why, and when to look again. */
const accepted: readonly Acceptance[] = [];

const answerSchema = Type.Record(
  Type.String(),
  Type.Array(Type.Object({ url: Type.String(), title: Type.String() })),
);

const timeoutMs = 30_000;

if (import.meta.main) process.exitCode = await audit();

async function audit(): Promise<number> {
  const asked = Bun.spawnSync([process.execPath, "audit", "--json"], {
    cwd: projectFolder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
  });
  const advisories = parseAdvisories(asked.stdout.toString());
  if (!advisories) {
    const reason = asked.stderr.toString().trim() || `no answer within ${timeoutMs / 1000} s`;
    console.error(`audit: NOT CHECKED, the registry could not be asked for known holes (${reason})`);
    return exitCodes.tryAgain;
  }
  const open = openAdvisories(advisories, accepted, new Date().toISOString().slice(0, 10));
  for (const { package: name, title, url } of open) console.error(`audit: ${name}: ${title} (${url})`);
  console.log(`audit: ${open.length} open, ${advisories.length - open.length} accepted`);
  return open.length === 0 ? exitCodes.passed : exitCodes.failed;
}

/** Returns the advisories without an acceptance, or whose acceptance has ended. */
export function openAdvisories(
  advisories: readonly Advisory[],
  acceptances: readonly Acceptance[],
  today: string,
): readonly Advisory[] {
  const settled = new Set(acceptances.filter(({ lookAgain }) => today < lookAgain).map(({ id }) => id));
  return advisories.filter(({ url }) => !settled.has(url.slice(url.lastIndexOf("/") + 1)));
}

/**
 * Parses the registry's answer, `{"package": [{"url": …, "title": …}]}`, `{}` without findings; null for
 * anything else.
 */
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
