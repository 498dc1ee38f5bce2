import { expect, test } from "bun:test";
import { readStanding } from "../../../src/adapters/postgres/connections/standing.ts";

/** What is asked of a server of this version by two connections, and what is made of it. */
async function asked(version: string) {
  const texts: string[] = [];
  const host = { host: "one", port: 5432 };
  const ask = (text: string) => {
    texts.push(text);
    if (text === "SELECT version()") return Promise.resolve([[version]]);
    return Promise.resolve([
      [false, "off", ...(text.includes("system_identifier") ? ["7", "0000000A", "1"] : [])],
    ]);
  };
  await readStanding(host, ask);
  return { standing: await readStanding(host, ask), texts };
}

test.each([
  "PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 16.0.6, 64-bit",
  "CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built 2023/09/27, go1.19.10)",
])("%s is asked for what every engine knows", async (version) => {
  const { standing, texts } = await asked(version);
  expect(standing).toEqual({ isStandby: false, isReadOnly: false, history: null });
  expect(texts).toHaveLength(3);
  expect(texts.join()).not.toContain("pg_control_system");
});

test("PostgreSQL says how its data came about, and is asked for its version once", async () => {
  const { standing, texts } = await asked("PostgreSQL 15.6 (Debian 15.6-0+deb12u1) on x86_64-pc-linux-gnu");
  expect(standing.history).toEqual({ system: "7", timeline: 10, startedAt: "1" });
  expect(texts.map((text) => text.includes("pg_control_system"))).toEqual([false, true, true]);
});
