/** What `doctor` finds while the server runs, for the overview of staff. */
import type { Check } from "./doctor/finding.ts";
import type { Config, LoadedConfig } from "../boot/config.ts";
import { withTexts, type CodedFinding } from "../domain/health/finding.ts";
import { resultOf, type CheckResult } from "../domain/health/check-result.ts";
import type { Clock } from "../kernel/clock.ts";

/**
 * The checks that are quick and see a running server as it is; those that read much of the database hold it
 * up. What they find has a code, so that the console says it in the reader's language.
 */
async function servedChecks() {
  // Loaded at the first look: a start does without them.
  const { checks, runCheck, subjectOf } = await import("./doctor/examine.ts");
  const served = {
    settings: checks.settings,
    disk: checks.disk,
    clock: checks.clock,
    nodes: checks.nodes,
    "mail server": checks["mail server"],
    certificate: checks.certificate,
    "public address": checks["public address"],
    launchers: checks.launchers,
    backups: checks.backups,
    "open files": checks["open files"],
  } satisfies Readonly<Record<string, Check<CodedFinding>>>;
  const names = Object.keys(served) as (keyof typeof served)[]; // the object above has no other keys
  return { served, names, runCheck, subjectOf };
}

/** How long one check may take: a person waits for the first result. */
const checkMs = 4000;
/** How old a result may be without a new look, … */
const freshSeconds = 60;
/** … and without waiting for it. */
const shownSeconds = 5 * 60;

/** Checks of a running server. Disposing of them ends a running check. */
export type ServingChecks = Disposable & {
  /**
   * The results, at most one minute old, or five while new ones are collected in the background. Concurrent
   * requests share one run. Staff see them, so paths of the machine are left out.
   */
  readonly read: () => Promise<readonly CheckResult[]>;
};

export function createServingChecks({
  loaded,
  clock,
}: {
  readonly loaded: LoadedConfig;
  readonly clock: Clock;
}): ServingChecks {
  const stopping = new AbortController();
  let last: { readonly at: number; readonly results: readonly CheckResult[] } | null = null;
  let underway: Promise<readonly CheckResult[]> | null = null;

  const look = async (): Promise<readonly CheckResult[]> => {
    const at = clock.steadySeconds();
    const results = await runChecks(loaded, clock.nowSeconds(), stopping.signal);
    last = { at, results };
    return results;
  };
  return {
    read: async () => {
      const age = last === null ? Infinity : clock.steadySeconds() - last.at;
      if (last !== null && age < freshSeconds) return last.results;
      underway ??= look().finally(() => (underway = null));
      if (last === null || age >= shownSeconds) return underway;
      // The next request that waits for it gets its fault.
      underway.catch(() => undefined);
      return last.results;
    },
    [Symbol.dispose]: () => stopping.abort(),
  };
}

async function runChecks(
  loaded: LoadedConfig,
  now: number,
  stop: AbortSignal,
): Promise<readonly CheckResult[]> {
  const { config } = loaded;
  const { served, names, runCheck, subjectOf } = await servedChecks();
  const subject = subjectOf(loaded, now, true);
  const bounds = { subject, ms: checkMs, stop };
  const findings = await Promise.all(names.map((name) => runCheck(served, name, bounds)));
  return findings.flat().map(({ check, ...finding }) =>
    resultOf(
      check,
      withTexts(finding, (text) => withoutPaths(text, config)),
    ),
  );
}

/** Absolute paths, but not those of addresses, which follow a host. */
const pathPattern = /(?<=^|[\s'"(])(?:\/|[A-Za-z]:\\)[^\s'",;:)]+/g;

/** The text without the paths of files and folders. */
export function withoutPaths(
  text: string,
  { dataDir, backup, tls }: Pick<Config, "dataDir" | "backup" | "tls">,
): string {
  const files = tls === null ? [] : [tls.certFile, tls.keyFile];
  // A name alone may be a word of the text, and shows no path.
  const known = [dataDir, backup.dir, ...files].filter((path) => /.[/\\]./.test(path));
  const longestFirst = known.toSorted((one, other) => other.length - one.length);
  return longestFirst.reduce((shown, path) => shown.replaceAll(path, "…"), text).replaceAll(pathPattern, "…");
}
