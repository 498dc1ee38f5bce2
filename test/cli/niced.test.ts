import { expect, test } from "bun:test";
import { chown } from "node:fs/promises";
import { asSomebody, isRoot, nobody, noSomebody } from "../support/somebody.ts";
import { temporaryFolder } from "./run-program.ts";
import { program } from "../support/program.ts";

const cannot = noSomebody ?? (Bun.which("nice") === null ? "there is no nice" : null);

/** Only root may come forward again; hashing used to try. */
test.skipIf(cannot !== null)(
  "a program that others made wait behind everybody works all the same",
  async () => {
    await using folder = await temporaryFolder();
    if (isRoot) await chown(folder.path, nobody, nobody);
    const identity = ["--mail", "a@example.org", "--username", "Anna", "--password", "the password of anna"];
    const command = [...program, "user", "create", ...identity, "--data-dir", folder.path];
    const { exitCode, stderr } = await Bun.$`nice -n 15 ${asSomebody} ${command}`
      .env({ PATH: process.env["PATH"] ?? "" })
      .nothrow()
      .quiet();
    expect({ exitCode, error: stderr.toString() }).toEqual({ exitCode: 0, error: "" });
  },
);
