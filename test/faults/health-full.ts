/*
 * Health on a disk that fills up and is cleared: a small tmpfs, for which one has to be
 * root on Linux. Part of `bun run test:faults`.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openService, untilReady } from "./service.ts";
import { mountSmallDisk } from "./small-disk.ts";
import { program } from "../support/program.ts";

const timeoutMs = 120_000;
const mib = 1024 * 1024;

test(
  "a disk that fills up makes the service unready, one that is cleared ready again, without a restart",
  async () => {
    await using disk = await mountSmallDisk(128 * mib);
    const settings = { DATA_DIR: join(disk.path, "data"), LOG_LEVEL: "info" };
    await using service = await openService(program, 1, settings);
    const run = await service.start();
    const well = { database: true, disk: true, textures: true, outbox: true };
    expect(await run.ask({ line: "GET /health/ready" })).toMatchObject({ status: 200, data: well });
    await disk.leave(48 * mib);
    expect((await untilReady(run, 503)).data).toEqual({ ...well, disk: false });
    await disk.leave(0);
    expect(await run.ask({ line: "GET /health/live" })).toMatchObject({ status: 200 });
    await disk.leave(null);
    expect((await untilReady(run, 200)).data).toEqual(well);
    expect(await service.stop()).toBe(0);
    expect(service.complaints()).toContain("the disk of the data folder is nearly full");
    expect(service.complaints()).toContain("is well again");
  },
  timeoutMs,
);
