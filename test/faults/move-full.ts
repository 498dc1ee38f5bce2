/*
 * The long form of the kills in `test/operate/move.test.ts`: a community of some thousands goes to PostgreSQL
 * and back, and the program or its connection is killed fifty times on the way.
 *
 *   bun run test:faults            always the same moments; SEED=<number> takes others, KILLS=<number> fewer or more
 */
import { SQL } from "bun";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { fillAccounts } from "../bench/accounts-data.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { filesIn, rowsIn, runMove } from "../operate/moved-community.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { randomFrom } from "./random.ts";
import { mountSmallDisk, noSmallDisk } from "./small-disk.ts";

const kills = Number(process.env["KILLS"] ?? 50);
const seed = Number(process.env["SEED"] ?? 1);
const jwtSecret = "a bench's secret that is long enough for HS256";

if (postgresMissing !== null) console.error(`NOT RUN: kills of a move (${postgresMissing})`);

test.skipIf(postgresMissing !== null)(
  `a move is whole after ${kills} kills (SEED=${seed})`,
  async () => {
    await using source = await temporaryFolder();
    await fillAccounts(source.path, { accounts: 4000, signedIn: 50, textureFiles: true });
    const random = randomFrom(seed);
    const before = rowsIn(join(source.path, "cloakroom.db"));
    let killed = 0;
    for (let round = 0; killed < kills; round++) {
      await using target = await emptyDatabase();
      await using back = await temporaryFolder();
      const folder = join(back.path, "data");
      killed += await moveThrough({ DATA_DIR: source.path, MOVE_TO: target.url }, target.url, random);
      killed += await moveThrough(
        { DATA_DIR: source.path, DATABASE_URL: target.url, MOVE_TO: folder },
        target.url,
        random,
      );
      expect(withoutFiles(rowsIn(join(folder, "cloakroom.db")))).toEqual(withoutFiles(before));
      expect(Object.keys(await filesIn(join(folder, "textures"))).length).toBeGreaterThanOrEqual(1000);
    }
    expect(rowsIn(join(source.path, "cloakroom.db"))).toEqual(before);
    console.log({ killed });
  },
  60 * 60_000,
);

const noDisk = await noSmallDisk();
if (noDisk !== null) console.error(`NOT RUN: a move that fills its disk (${noDisk})`);

test.skipIf(noDisk !== null)(
  "a move whose target fills its disk fails, and goes on when there is room",
  async () => {
    await using source = await temporaryFolder();
    await fillAccounts(source.path, { accounts: 4000, signedIn: 50, textureFiles: true });
    const before = rowsIn(join(source.path, "cloakroom.db"));
    await using disk = await mountSmallDisk(64 * 1024 * 1024);
    const folder = join(disk.path, "data");
    const environment = { DATA_DIR: source.path, MOVE_TO: folder, JWT_SECRET: jwtSecret };
    await disk.leave(6 * 1024 * 1024);
    const full = await runMove([], { environment });
    expect(full.code).toBe(1);
    expect(full.error).toMatch(/no space|disk/i);
    await disk.leave(null);
    const rest = await runMove(["--json"], { environment });
    expect(rest.error).toBe("");
    expect(JSON.parse(rest.out)).toMatchObject({ continued: true, textures_lost: 0 });
    expect(withoutFiles(rowsIn(join(folder, "cloakroom.db")))).toEqual(withoutFiles(before));
    expect(rowsIn(join(source.path, "cloakroom.db"))).toEqual(before);
  },
  10 * 60_000,
);

/**
 * Moves until it is done, killing each run at some moment: the program, or the connections of the database.
 * Resolves to how often.
 */
async function moveThrough(
  environment: Record<string, string>,
  database: string,
  random: () => number,
): Promise<number> {
  const usualMs = 4000;
  for (let killed = 0; ; killed++) {
    const afterMs = Math.floor(random() * usualMs);
    const isProgram = random() < 0.7;
    const cutting = isProgram ? null : cutConnections(database, afterMs);
    const { code, error } = await runMove([], {
      environment: { ...environment, JWT_SECRET: jwtSecret },
      ...(isProgram && { killAfterMs: afterMs }),
    });
    await cutting;
    // It was killed after its last step.
    if (code === 0 || error.includes("holds a community already")) return killed;
    if (code !== null && !/connection|unavailable|cannot be used|57P01/i.test(error)) throw new Error(error);
  }
}

async function cutConnections(database: string, afterMs: number): Promise<void> {
  await Bun.sleep(afterMs);
  await using sql = new SQL(database, { max: 1 });
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
}

/** Files get other names in another store. */
function withoutFiles(rows: ReturnType<typeof rowsIn>): unknown {
  return { ...rows, textures: rows["textures"]?.map((row) => ({ ...(row as object), file: "" })) };
}
