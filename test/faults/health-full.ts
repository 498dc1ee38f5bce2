/*
 * Health on a disk that fills up and is cleared: a small tmpfs, for which one has to be
 * root on Linux. Part of `bun run test:faults`.
 */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mainFile } from "../cli/run-program.ts";

const timeoutMs = 120_000;
const mib = 1024 * 1024;

async function smallDisk(mebibytes: number) {
  const path = await mkdtemp(join(tmpdir(), "cloakroom-disk-"));
  await Bun.$`mount -t tmpfs -o size=${mebibytes}m,mode=0700 tmpfs ${path}`.quiet();
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await Bun.$`umount -l ${path}`.quiet();
      await rm(path, { recursive: true });
    },
  };
}

async function serve(dataDir: string) {
  const child = Bun.spawn([process.execPath, mainFile, "serve"], {
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", DATA_DIR: dataDir },
    stdout: "pipe",
    stderr: "pipe",
  });
  const { value } = await child.stdout.getReader().read();
  const [, address = ""] = / listening on (http:\S+)/.exec(new TextDecoder().decode(value)) ?? [];
  const ask = async (): Promise<Readonly<Record<string, unknown>>> => {
    const response = await fetch(`${address}/health/ready`);
    const { data } = (await response.json()) as { readonly data: object };
    return { status: response.status, ...data };
  };
  return {
    ask,
    /** Asks until the answer has this status, which takes as long as an answer may be old. */
    until: async (status: number) => {
      for (;;) {
        const found = await ask();
        if (found["status"] === status) return found;
        await Bun.sleep(250);
      }
    },
    isAlive: async () => (await fetch(`${address}/health/live`)).ok,
    stop: async () => {
      child.kill("SIGTERM");
      return { code: await child.exited, log: await child.stderr.text() };
    },
    [Symbol.dispose]: () => child.kill("SIGKILL"),
  };
}

test(
  "a disk that fills up makes the service unready, one that is cleared ready again, without a restart",
  async () => {
    await using disk = await smallDisk(96);
    using server = await serve(disk.path);
    expect(await server.ask()).toEqual({ status: 200, database: true, disk: true, outbox: true });
    const filler = join(disk.path, "filler");
    await Bun.write(filler, new Uint8Array(48 * mib));
    expect(await server.until(503)).toEqual({ status: 503, database: true, disk: false, outbox: true });
    await Bun.$`dd if=/dev/zero of=${join(disk.path, "rest")} bs=4k`.quiet().nothrow();
    expect(await server.isAlive()).toBe(true);
    await rm(join(disk.path, "rest"));
    await rm(filler);
    expect(await server.until(200)).toMatchObject({ database: true, disk: true });
    const { code, log } = await server.stop();
    expect(code).toBe(0);
    expect(log).toContain("the disk of the data folder is nearly full");
    expect(log).toContain("is well again");
  },
  timeoutMs,
);
