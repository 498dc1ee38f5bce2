import { expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";

test("a new database is empty: no account, session, code or token", async () => {
  await using harness = await openHarness();
  const { accounts, players, sessions, codes, service_tokens } = harness.database.everything();
  expect({ accounts, players, sessions, codes, service_tokens }).toEqual({
    accounts: [],
    players: [],
    sessions: [],
    codes: [],
    service_tokens: [],
  });
});
