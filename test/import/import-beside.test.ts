/** The command as a process of its own beside a server that people use. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../cli/run-program.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, signIn } from "../support/members.ts";
import { program } from "../support/program.ts";
import { skinPng } from "../support/textures.ts";

/** Long enough for a machine that is busy with the other tests. */
const timeoutMs = 60_000;

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

async function writeList(folder: string, accounts: number): Promise<string> {
  await Bun.write(join(folder, "skin.png"), skinPng(5));
  const rows = Array.from(
    { length: accounts },
    (_, number) => `Guest_${number},guest${number}@example.org,true,${uuidOf(number)},skin.png`,
  );
  const path = join(folder, "people.csv");
  await Bun.write(path, ["username,mail,mail_verified,uuid,skin", ...rows, ""].join("\n"));
  return path;
}

function startImport(harness: Harness, list: string) {
  return Bun.spawn([...program, "import", "--from", "csv", "--file", list, "--source-name", "old"], {
    env: { PATH: process.env["PATH"] ?? "", ...harness.storageSettings },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const accountsIn = (harness: Harness) => harness.countRows("accounts");

test(
  "people sign in and see who came while an import runs",
  async () => {
    await using harness = await openHarness();
    await using folder = await temporaryFolder();
    const resident = await addMember(harness, "Resident");
    const list = await writeList(folder.path, 1_500);
    const look = async () =>
      Bun.hash(await (await harness.fetch(`/crafatar/avatars/${uuidOf(7)}?size=16`)).arrayBuffer());
    const before = await look();
    const child = startImport(harness, list);
    let signIns = 0;
    // Each fails the test where it is refused.
    while (child.exitCode === null) {
      await signIn(harness, "Resident", resident.password);
      signIns += 1;
    }
    expect(await child.exited).toBe(0);
    // On a machine that is busy it says how far it is.
    const complaints = (await child.stderr.text())
      .split("\n")
      .filter((line) => !/^(?:[a-z ]+: \d+ .*)?$/.test(line));
    expect(complaints).toEqual([]);
    expect(signIns).toBeGreaterThan(0);
    expect(accountsIn(harness)).toBe(1_501);
    // A node sees what another process has changed within a second.
    while ((await look()) === before) await turn();
  },
  timeoutMs,
);

test(
  "SIGTERM ends an import after its batch, and the next run goes on",
  async () => {
    await using harness = await openHarness();
    await using folder = await temporaryFolder();
    const list = await writeList(folder.path, 1_500);
    const child = startImport(harness, list);
    while (child.exitCode === null && accountsIn(harness) === 0) await turn();
    child.kill("SIGTERM");
    expect(await child.exited).toBe(1);
    expect(await child.stderr.text()).toContain("run again to go on");
    const came = accountsIn(harness);
    expect(came).toBeGreaterThan(0);
    expect(came).toBeLessThan(1_500);
    expect(harness.database.rows("SELECT state, holder FROM import_runs")).toEqual([
      { state: "stopped", holder: "" },
    ]);
    const again = startImport(harness, list);
    expect(await again.exited).toBe(0);
    expect(await again.stdout.text()).toContain(`imported: ${1_500 - came} accounts`);
    expect(accountsIn(harness)).toBe(1_500);
  },
  timeoutMs,
);
