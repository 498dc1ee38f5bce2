/* Plans of lists, made by the program. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Decided } from "../../src/domain/model/import-plan.ts";
import { run, type Outcome } from "../cli/run-program.ts";

/** A record of a list in JSONL. */
export type Line = Readonly<Record<string, string | number | boolean | null>>;

/** Of "Пароль-harbour 7". */
export const bcrypt = "$2y$10$abcdefghijklmnopqrstuumTcqg1grN5CAaGoh7r2.xZmz16hfOb6";
export const md5 = "4875fb5f33bebf0d25e02b6e1fc27781";

/** An account that nothing is to be said of. */
export const fine = (username: string, more: Line = {}): Line => ({
  username,
  mail: `${username.toLowerCase()}@example.org`,
  mail_verified: true,
  password_hash: bcrypt,
  ...more,
});

export type PlanWorld = AsyncDisposable & {
  readonly folder: string;
  readonly dataDir: string;
  readonly cli: (...args: readonly string[]) => Promise<Outcome>;
  /** Writes a list and gives it to `import`. */
  readonly import: (lines: readonly Line[], ...flags: readonly string[]) => Promise<Outcome>;
  /** What a dry run of a list decides, as `kind decision source from -> to: reason`. */
  readonly plan: (lines: readonly Line[], ...flags: readonly string[]) => Promise<readonly string[]>;
  /** What the last run decided, by the report's file. */
  readonly report: (name: "plan.jsonl" | "result.jsonl") => Promise<readonly Decided[]>;
};

/** A folder with a list, a report and a data folder, which is not made yet. */
export async function openPlanWorld(environment: Readonly<Record<string, string>> = {}): Promise<PlanWorld> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-plan-"));
  const dataDir = join(folder, "data");
  const list = join(folder, "list", "list.jsonl");
  const report = join(folder, "report");
  await mkdir(join(folder, "list"));
  const cli = (...args: readonly string[]) => run([...args, "--data-dir", dataDir], { environment });
  const importList: PlanWorld["import"] = async (lines, ...flags) => {
    await Bun.write(list, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return cli(
      "import",
      "--from",
      "jsonl",
      "--file",
      list,
      "--source-name",
      "old",
      "--report",
      report,
      ...flags,
    );
  };
  const decided: PlanWorld["report"] = async (name) =>
    (await Bun.file(join(report, name)).text())
      .split("\n")
      .flatMap((line) => (line === "" ? [] : JSON.parse(line)));
  return {
    folder,
    dataDir,
    cli,
    import: importList,
    report: decided,
    plan: async (lines, ...flags) => {
      const { code, error } = await importList(lines, "--dry-run", ...flags);
      if (code === 2) throw new Error(error);
      return (await decided("plan.jsonl")).map(shortly);
    },
    [Symbol.asyncDispose]: () =>
      rm(folder, {
        recursive: true,
        force: true,
      }),
  };
}

/** A decision in a line. */
export function shortly({ kind, decision, from, to, reason }: Decided): string {
  const became = to === null || to === from ? "" : ` -> ${to}`;
  return `${kind} ${decision} ${from}${became}${reason === "" ? "" : `: ${reason}`}`;
}
