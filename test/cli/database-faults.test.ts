/**
 * What commands say of a PostgreSQL database that they cannot use: the cause and the cure, once, without a
 * secret.
 */
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { NamedFinding } from "../../src/operate/doctor/examine.ts";
import { holdClosedPort } from "../support/closed-port.ts";
import { openFaultProxy } from "../support/fault-proxy.ts";
import { testDatabase } from "../support/migrated-postgres.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { run, temporaryFolder } from "./run-program.ts";
import { program } from "../support/program.ts";

if (postgresMissing !== null) console.error(`NOT RUN: commands without their database (${postgresMissing})`);

const secret = "correct horse battery staple, twice";
const unusable = "the database .* cannot be used: ";

/** What commands say, and what doctor says of it. */
type Words = {
  readonly message: RegExp;
  readonly remedy: RegExp;
  /** Where it is not the same: what `nodes` ends with. */
  readonly nodes?: RegExp | null;
};

const faults: Readonly<Record<string, Words>> = {
  "does not listen": {
    message: /cannot be used: PostgreSQL: nothing listens there, or no address is known for its name/,
    remedy: /is PostgreSQL running there/,
  },
  "does not answer": {
    message: /cannot be used: PostgreSQL: no answer within 5 s/,
    remedy: /is the way to it open/,
    nodes: null,
  },
  "has another password": {
    message: /cannot be used: PostgreSQL: password authentication failed for user "\w+" \(28P01\)/,
    remedy: /are user and password of its address right/,
  },
  "lacks the database": {
    message: /cannot be used: PostgreSQL: database "nowhere" does not exist \(3D000\)/,
    remedy: /CREATE DATABASE/,
  },
  "is without TLS": {
    message: /cannot be used: PostgreSQL: the server does not speak TLS/,
    remedy: /nothing is sent without TLS/,
  },
  "is on one of two servers, and neither can be used": {
    message: /cannot be used: PostgreSQL: \S+:\d+: nothing listens there.*; \S+:\d+: password authentication/,
    remedy: /are user and password/,
  },
  "holds something else": {
    message: /holds tables that are not cloakroom's \("posts"\): give it a database of its own/,
    remedy: /run doctor again/,
  },
  "is newer": { message: /was written by a newer version .*: install that version/, remedy: /doctor again/ },
  "is being filled": {
    message: /a move or restore into this database has not finished/,
    remedy: /doctor again/,
  },
};

describe.skipIf(postgresMissing !== null)("a database that cannot be used", () => {
  const opened = new AsyncDisposableStack();
  let folder = "";
  let url = "";
  const bases = new Map<string, string>();

  const changed = (change: (address: URL) => void): string => {
    const address = new URL(url);
    change(address);
    return address.href;
  };
  const filled = async (statement: string, database = testDatabase()): Promise<string> => {
    const made = opened.use(await database);
    await using sql = new SQL({ url: made.url, max: 1 });
    await sql.unsafe(statement);
    return made.url;
  };

  beforeAll(async () => {
    folder = opened.use(await temporaryFolder()).path;
    url = opened.use(await testDatabase()).url;
    const { hostname, port, password } = new URL(url);
    const closed = opened.use(await holdClosedPort());
    const proxy = opened.use(await openFaultProxy({ target: { host: hostname, port: Number(port) } }));
    proxy.stall();
    const wrong = changed((address) => void (address.password = "wrong-password"));
    const base: Readonly<Record<keyof typeof faults, string>> = {
      "does not listen": changed((address) => void (address.port = String(closed.port))),
      "does not answer": changed((address) => void (address.port = String(proxy.port))),
      "has another password": wrong,
      "lacks the database": changed((address) => void (address.pathname = "/nowhere")),
      "is without TLS": changed((address) => address.searchParams.set("sslmode", "verify-full")),
      "is on one of two servers, and neither can be used": wrong.replace("@", `@127.0.0.1:${closed.port},`),
      "holds something else": await filled("CREATE TABLE posts (id int)", emptyDatabase()),
      "is newer": await filled("UPDATE marks SET value = '99+0' WHERE name = 'schema'"),
      "is being filled": await filled(`INSERT INTO marks VALUES ('moving', '["x", 0, null]')`),
    };
    for (const [name, address] of Object.entries(base)) bases.set(name, address);
    expect(password).not.toBe("");
  });
  afterAll(() => opened.disposeAsync());

  const go = (args: readonly string[], environment: Record<string, string>) =>
    run(args, {
      environment: { DATA_DIR: join(folder, "data"), JWT_SECRET: secret, PORT: "0", ...environment },
    });
  const examine = async (environment: Record<string, string>) => {
    const { out, error, code } = await go(["doctor", "--json"], environment);
    const { findings } = JSON.parse(out) as { findings: readonly NamedFinding[] };
    return { out, error, code, findings };
  };

  test.each(Object.entries(faults))("%s", async (name, { message, remedy, nodes = message }) => {
    const address = bases.get(name) ?? "";
    const { out, code, findings } = await examine({ DATABASE_URL: address });
    const about = findings.filter((one) => one.check === "database" || message.test(one.message));
    expect(about).toEqual([
      {
        check: "database",
        state: "problem",
        message: expect.stringMatching(message),
        remedy: expect.stringMatching(remedy),
      },
    ]);
    expect(code).toBe(1);
    expect(out).not.toContain(new URL(url).password);
    expect(out).not.toContain("wrong-password");
    if (nodes === null) return;
    for (const command of [
      ["nodes"],
      ["backup", join(folder, "backup")],
      ["move", "--to", join(folder, "moved")],
    ]) {
      const outcome = await go(command, { DATABASE_URL: address });
      expect({ command, code: outcome.code, error: outcome.error }).toEqual({
        command,
        code: 1,
        error: expect.stringMatching(new RegExp(`^cloakroom: (?!internal).*${message.source}`)),
      });
      if (new RegExp(unusable).test(outcome.error)) expect(outcome.error).toMatch(remedy);
      expect(outcome.error).not.toMatch(/wrong-password|\n\s+at /);
    }
  });

  test("is not waited for once the server has to stop", async () => {
    const address = bases.get("does not listen") ?? "";
    const child = Bun.spawn([...program, "serve"], {
      env: {
        PATH: process.env["PATH"] ?? "",
        DATABASE_URL: address,
        DATA_DIR: join(folder, "served"),
        JWT_SECRET: secret,
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    let log = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      if (!log.includes("waits for it") && (log + text).includes("waits for it")) child.kill("SIGTERM");
      log += text;
    }
    expect({ code: await child.exited, out: await child.stdout.text() }).toEqual({ code: 0, out: "" });
    expect(log).toContain("stopped before it served");
    expect(log).toContain("is PostgreSQL running there");
  });

  test("is nothing where it is empty", async () => {
    await using empty = await emptyDatabase();
    const environment = { DATABASE_URL: empty.url };
    const { findings } = await examine(environment);
    expect(findings.filter(({ check }) => check === "database" || check === "nodes")).toContainEqual({
      check: "database",
      state: "ok",
      message: "it is empty: the first start of a node makes its tables",
      remedy: null,
    });
    for (const command of [
      ["nodes"],
      ["backup", join(folder, "none")],
      ["move", "--to", join(folder, "moved")],
    ]) {
      const { code, error } = await go(command, environment);
      expect({ code, error }).toEqual({
        code: 1,
        error: expect.stringMatching(
          /^cloakroom: \S+ holds no community yet: is that the right database\?\n$/,
        ),
      });
    }
  });

  test("has another secret: what is sealed with it is not called damaged", async () => {
    await using database = await testDatabase();
    const environment = { DATABASE_URL: database.url };
    expect(await go(["key", "rotate"], environment)).toMatchObject({ code: 0 });
    const other = { ...environment, JWT_SECRET: "another horse battery staple, twice" };
    const { findings } = await examine(other);
    expect(findings.filter(({ message }) => message.startsWith("JWT_SECRET"))).toEqual([
      {
        check: "database",
        state: "problem",
        message: expect.stringContaining("JWT_SECRET is another one"),
        remedy: expect.stringContaining("the secret of the other nodes"),
      },
    ]);
    const backup = ["backup", join(folder, "sealed")];
    for (const command of [backup, ["move", "--to", join(folder, "moved")], ["user", "list"]])
      expect(await go(command, other)).toEqual({
        code: 1,
        out: "",
        error: expect.stringMatching(/^cloakroom: JWT_SECRET is another one/),
      });
    expect(await go(backup, environment)).toMatchObject({ code: 0 });
  });
});
