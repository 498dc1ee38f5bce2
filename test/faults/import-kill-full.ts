/*
 * The long form of `import-kill.test.ts`, on both engines.
 *
 *   bun run test:faults import-kill     always the same moments; SEED=<number> takes others, KILLS=<number> fewer or more
 */
import { expect, test } from "bun:test";
import { postgresMissing } from "../support/postgres.ts";
import { program } from "../support/program.ts";
import { killImports } from "./import-kill-run.ts";

const timeoutMs = 60 * 60_000;
const kills = Number(process.env["KILLS"] ?? 40);
const seed = Number(process.env["SEED"] ?? 1);

const storages = [
  ["SQLite and files", { database: "sqlite", files: "files" }],
  ...(postgresMissing === null
    ? [["PostgreSQL and files", { database: "postgres", files: "files" }] as const]
    : []),
] as const;

test.each(storages)(
  `an import on %s that is killed ${kills} times comes to the same end (SEED=${seed})`,
  async (_, storage) => {
    const report = await killImports({ command: program, storage, accounts: 200 * kills, kills, seed });
    console.log(report);
    expect(report.faults).toEqual([]);
    expect(report.kills).toBeGreaterThan(kills / 2);
  },
  timeoutMs,
);
