/** What SQLite's errors become. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { translateFault, translateOpenFault } from "../../src/adapters/sqlite/faults.ts";

function faultOfMissing(): unknown {
  try {
    return new Database("/nowhere/at/all.db");
  } catch (error) {
    return error;
  }
}

test("what an open database cannot open is a file that it finds no room for", () => {
  const fault = faultOfMissing();
  expect(translateOpenFault(fault)).toMatchObject({ kind: "unavailable", retryAfterSeconds: 5 });
  expect(translateFault(fault)).toBe(fault);
});
