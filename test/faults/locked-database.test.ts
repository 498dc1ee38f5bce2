import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createAccounts, signAllIn, skinUpload } from "./people.ts";
import { openService } from "./service.ts";
import { program } from "../support/program.ts";

/** A writer waits ten seconds for another process; all eight together must not wait much longer than one. */
const timeoutMs = 60_000;

test(
  "a database that another process locks keeps no reader waiting and no writer for long",
  async () => {
    await using service = await openService(program, 1);
    const names = await createAccounts(service.dataDir, program, 1);
    const run = await service.start();
    const [, player] = await signAllIn(run, names);
    if (player === undefined) throw new Error("No member is signed in");

    using other = new Database(join(service.dataDir, "cloakroom.db"));
    other.run("BEGIN IMMEDIATE");
    const writes = Promise.all(Array.from({ length: 8 }, (_, seed) => run.ask(skinUpload(player, seed))));
    for (let reads = 0; reads < 20; reads++) {
      expect((await run.ask({ line: "GET /api/home", token: player.token })).status).toBe(200);
    }
    for (const { status, msg } of await writes) {
      expect([429, 500, 503]).toContain(status);
      expect(msg).not.toBe("");
    }

    other.run("COMMIT");
    expect((await run.ask(skinUpload(player, 9))).status).toBe(200);
    await service.kill();
    expect(service.complaints()).toContain("locked by another process");
  },
  timeoutMs,
);
