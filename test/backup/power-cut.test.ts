/** Confirmed data is on the disk. The power is not cut here; the calls that would matter then are checked. */
import { expect, mock, test } from "bun:test";
import * as files from "node:fs/promises";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { OutgoingMail } from "../../src/domain/ports/mailer.ts";

/** What was made to last and what was given a name, in order. */
const steps: string[] = [];
const { open, rename } = files;
await mock.module("node:fs/promises", () => ({
  ...files,
  open: async (...args: Parameters<typeof open>) => {
    const file = await open(...args);
    const sync = file.sync.bind(file);
    file.sync = async () => {
      await sync();
      steps.push(`sync ${String(args[0])}`);
    };
    return file;
  },
  rename: async (from: string, to: string) => {
    await rename(from, to);
    steps.push(`rename ${to}`);
  },
}));
const { fileMailer } = await import("../../src/adapters/mail-file/file-mailer.ts");
const { makeFolder } = await import("../../src/kernel/durable-files.ts");
const { run, temporaryFolder } = await import("../cli/run-program.ts");
const { makeData } = await import("./data-world.ts");

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  return folders.map((entry) => join(entry.parentPath, entry.name).slice(path.length));
}

test("a restore makes all folders last that it fills before anything is replaced", async () => {
  await using place = await temporaryFolder();
  const [dataDir, archive, restored] = ["data", "archive", "restored"].map((name) =>
    join(place.path, name),
  ) as [string, string, string];
  await makeData(dataDir);
  await run(["backup", archive, "--data-dir", dataDir]);
  for (const source of [archive, dataDir]) {
    steps.length = 0;
    expect((await run(["restore", source, "--data-dir", restored])).code).toBe(0);
    const before = new Set(steps.slice(0, steps.indexOf(`rename ${restored}/restoring`)));
    const filled = (await foldersIn(restored)).filter((path) => !path.startsWith("/before-restore-"));
    expect(filled).toContainEqual(expect.stringMatching(/^\/textures\/..$/));
    expect(["", ...filled].filter((path) => !before.has(`sync ${restored}/unpacking${path}`))).toEqual([]);
  }
});

test("a folder lasts, and so do those above it that were made for it", async () => {
  await using place = await temporaryFolder();
  const at = (path: string) => join(place.path, path);
  for (const [folder, made] of [
    ["a/b/c", [at("a/b"), at("a"), place.path]],
    ["a/b/d", [at("a/b")]],
    ["a/b/d", []],
  ] as const) {
    steps.length = 0;
    await makeFolder(at(folder));
    expect(steps).toEqual(made.map((path) => `sync ${path}`));
  }
});

test("a mail lasts under its name once it counts as sent", async () => {
  await using place = await temporaryFolder();
  const mails = join(place.path, "mail");
  await using mailer = fileMailer(mails, async () => Buffer.from("Subject: words\r\n"));
  steps.length = 0;
  const mail: OutgoingMail = {
    name: "1",
    messageId: "1@example.org",
    to: "anna@example.org",
    language: "en",
    date: 0,
    subject: "words",
    text: "words",
    html: "words",
    unsubscribe: null,
  };
  const { outcome } = await mailer.deliver(mail, new AbortController().signal);
  expect(outcome).toBe("accepted");
  const [name = ""] = await readdir(mails);
  expect(steps.slice(-2)).toEqual([`rename ${join(mails, name)}`, `sync ${mails}`]);
});
