/* A community in which one fault is planted, and what doctor then has to say. */
import { join } from "node:path";
import type { NamedFinding } from "../../../src/operate/doctor/examine.ts";
import { run, temporaryFolder, userCreation } from "../../cli/run-program.ts";
import { program, sourceFile } from "../../support/program.ts";
import { asSomebody } from "../../support/somebody.ts";
import { serveIn, type ServedFolder } from "./beside-server.ts";

type Settings = Readonly<Record<string, string>>;

/** One community, as it is before its fault. */
export type World = {
  /** For what the fault needs. */
  readonly folder: string;
  readonly dataDir: string;
  /** Its server; null where no server runs. */
  readonly server: ServedFolder | null;
  /** Kept until the look is over. */
  readonly use: <Kept extends Disposable | AsyncDisposable>(kept: Kept) => Kept;
  /** Of its database on PostgreSQL; empty on SQLite. */
  readonly address: string;
  /** Runs a statement in its database, past the program. */
  readonly change: (statement: string) => Promise<void>;
};

/** How doctor runs, where that is not as part of the test. */
type Manner = {
  /** By so many milliseconds the clock of its machine is ahead. */
  readonly shiftMs?: number;
  /** Certificates that its machine trusts as well. */
  readonly authorities?: string;
  readonly isSomebody?: boolean;
};

export type Planted = {
  /** Whether a server runs. */
  readonly runs?: boolean;
  /** What server and doctor are given. */
  readonly settings?: (folder: string) => Promise<Settings> | Settings;
  readonly openFiles?: number;
  /** Returns what doctor alone is given. */
  readonly plant?: (world: World) => Promise<Settings | void> | Settings | void;
  readonly manner?: (folder: string) => Manner;
  /** `[check, state, message, remedy]`; a problem makes doctor end with 1. */
  readonly finds: readonly [string, "warning" | "problem", RegExp, RegExp];
  /** Other checks in which the same fault is a problem. */
  readonly also?: readonly string[];
  /** Does what the remedy says; afterwards the fault is not found. */
  readonly cure?: (remedy: string, world: World) => Promise<unknown>;
};

/** Makes the community again for each fault. */
export type MakeCommunity = (
  dataDir: string,
) => Promise<AsyncDisposable & Pick<World, "address" | "change"> & { readonly settings: Settings }>;

export type Look = { readonly code: number; readonly findings: readonly NamedFinding[] };

/** PUBLIC_URL leads to the server of another community. */
export async function leadElsewhere({ folder, use }: Pick<World, "folder" | "use">): Promise<Settings> {
  const other = join(folder, "other");
  const { code, error } = await run([...userCreation("Carla", "correct horse 9"), "--data-dir", other]);
  if (code !== 0) throw new Error(error);
  return { PUBLIC_URL: use(await serveIn(other)).url };
}

/** The file of a texture. Files that are on their way come and go. */
export function firstTexture({ dataDir }: Pick<World, "dataDir">): string {
  const [name = ""] = [...new Bun.Glob("textures/??/*.png").scanSync({ cwd: dataDir })].toSorted();
  return join(dataDir, name);
}

/** Plants the fault in a new community. `look` is doctor's, `cure` what its remedy does. */
export async function plantIn(make: MakeCommunity, planted: Planted) {
  await using opened = new AsyncDisposableStack();
  const { path: folder } = opened.use(await temporaryFolder());
  // Others may pass: servers and doctor run as somebody else in some cases.
  await Bun.$`chmod 755 ${folder}`.quiet();
  const dataDir = join(folder, "data");
  const { settings, address, change } = opened.use(await make(dataDir));
  const given = { ...settings, ...(await planted.settings?.(folder)) };
  const server =
    planted.runs === true
      ? opened.use(
          await serveIn(dataDir, {
            environment: given,
            ...(planted.openFiles !== undefined && { openFiles: planted.openFiles }),
          }),
        )
      : null;
  const world: World = { folder, dataDir, server, address, change, use: (kept) => opened.use(kept) };
  const more = await planted.plant?.(world);
  const environment = { PORT: "0", ...given, ...server?.environment, ...more };
  const closing = opened.move();
  const place = more?.["DATA_DIR"] ?? dataDir;
  return {
    look: () => examine(["doctor", "--json", "--data-dir", place], environment, planted.manner?.(folder)),
    cure: (remedy: string) => planted.cure?.(remedy, world),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function examine(args: readonly string[], environment: Settings, manner?: Manner): Promise<Look> {
  const { code, out, error } =
    manner === undefined ? await run(args, { environment }) : await runAs(args, environment, manner);
  if (out === "") throw new Error(error);
  const { findings } = JSON.parse(out) as { readonly findings: readonly NamedFinding[] };
  return { code, findings };
}

async function runAs(args: readonly string[], environment: Settings, manner: Manner) {
  const { shiftMs, authorities, isSomebody = false } = manner;
  const preload = join(import.meta.dir, "../../faults/shifted-date.ts");
  const started = shiftMs === undefined ? program : [process.execPath, "--preload", preload, sourceFile];
  const child = Bun.spawn([...(isSomebody ? asSomebody : []), ...started, ...args], {
    cwd: "/",
    env: {
      PATH: process.env["PATH"] ?? "",
      ...environment,
      ...(shiftMs !== undefined && { SHIFTED_MS: String(shiftMs) }),
      ...(authorities !== undefined && { NODE_EXTRA_CA_CERTS: authorities }),
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { out, error, code };
}
