/** Textures on a disk of their own are watched like the data folder's. */
import { expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { freeSpaceOf } from "../../src/adapters/blob-fs/free-space.ts";
import { run, temporaryFolder } from "../cli/run-program.ts";
import { mountSmallDisk, noSmallDisk } from "../faults/small-disk.ts";
import { openHarness } from "../support/harness.ts";

const reason = await noSmallDisk();
if (reason !== null) console.log(`texture-disk: ${reason}`);

test("textures on the data folder's disk are not told apart, nor is what is not there", async () => {
  await using folder = await temporaryFolder();
  const textures = join(folder.path, "textures");
  for (let i = 0; i < 2; i++) {
    expect(await freeSpaceOf(folder.path, textures)).toMatchObject([{ folder: "data" }]);
    await mkdir(textures, { recursive: true });
  }
});

test.skipIf(reason !== null)("a full disk with the textures is seen and named", async () => {
  await using disk = await mountSmallDisk(8 << 20);
  await using folder = await temporaryFolder();
  await symlink(disk.path, join(folder.path, "textures"));
  await using harness = await openHarness({
    on: { files: "files" },
    storage: { freeSpace: () => freeSpaceOf(folder.path, join(folder.path, "textures")) },
  });
  const answer = await harness.fetch("/health/ready");
  expect(await answer.json()).toMatchObject({ msg: "Not ready: disk" });
  expect(harness.takeComplaints()).toMatchObject([{ message: "the disk of the textures is nearly full" }]);

  const { out } = await run(["doctor", "--data-dir", folder.path, "--port", "0"]);
  expect(out).toMatch(/ok +disk: .* are free\n/);
  expect(out).toMatch(/problem +disk: 8 MiB are free on the textures' own\n +-> make room: uploads fail/);
});

test.skipIf(reason !== null)("the disk with the textures has a size of its own", async () => {
  await using disk = await mountSmallDisk(8 << 20);
  await using harness = await openHarness({ on: { files: "files" } });
  const before = await harness.metrics();
  expect(before).toContain('cloakroom_disk_free_bytes{folder="data"}');
  expect(before).not.toContain('folder="textures"');
  const textures = join(harness.folder, "textures");
  await Bun.$`mount --bind ${disk.path} ${textures}`.quiet();
  try {
    expect(await harness.metrics()).toContain('cloakroom_disk_free_bytes{folder="textures"} 8388608\n');
  } finally {
    await Bun.$`umount ${textures}`.quiet();
  }
});
