import { availableParallelism, cpus, freemem, loadavg, release, totalmem, type } from "node:os";

/** One line of the table. Without a goal it is there for information. */
export type Line = {
  readonly measure: string;
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
  readonly measured: number;
  readonly unit:
    | "of bare"
    | "of calm"
    | "of tries"
    | "times faster"
    | "times as much"
    | "made"
    | "ms"
    | "µs"
    | "MiB"
    | "kB";
  /** What stands behind the number. */
  readonly detail?: string;
};

/** Whether the goal was reached; null where there is none. */
export function isReached({ goal, measured }: Line): boolean | null {
  if (goal === undefined) return null;
  return "atLeast" in goal ? measured >= goal.atLeast : measured <= goal.atMost;
}

/** A Markdown table, which reads well on a terminal too. */
export function tableOf(lines: readonly Line[]): string {
  const head = ["measure", "goal", "measured", "", "behind it"];
  const rows = lines.map((line) => [
    line.measure,
    goalText(line),
    `${digits(line.measured)} ${line.unit}`,
    { true: "ok", false: "missed", null: "" }[`${isReached(line)}`],
    line.detail ?? "",
  ]);
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const text = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(text).join("\n");
}

function goalText({ goal }: Line): string {
  if (goal === undefined) return "";
  return "atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}

/** Three digits that count, so that no more is claimed than was measured. */
export function digits(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export type Machine = Readonly<Record<string, string>>;

/** Where and on what the bench runs. */
export async function describeMachine(): Promise<Machine> {
  return {
    date: new Date().toISOString().slice(0, 16).replace("T", " "),
    cpu: `${cpus()[0]?.model.trim() ?? "unknown"}, ${availableParallelism()} cores`,
    memory: `${gibibytes(totalmem())}, ${gibibytes(freemem())} free`,
    system: `${type()} ${release()} ${process.arch}`,
    bun: Bun.version,
    commit: await currentCommit(),
    "load before": loadavg()
      .map((load) => load.toFixed(2))
      .join(" "),
  };
}

function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

async function currentCommit(): Promise<string> {
  const commit = await git("rev-parse", "--short=12", "HEAD");
  const changes = await git("status", "--porcelain", ":/src");
  return `${commit || "unknown"}${changes ? ", with changes in src" : ""}`;
}

/** What git says, or nothing where there is no repository. */
async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await Bun.$`git -C ${import.meta.dir} ${args}`.nothrow().quiet();
  return stdout.toString().trim();
}
