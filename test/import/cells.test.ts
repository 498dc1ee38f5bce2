import { expect, test } from "bun:test";
import { flagOf, numberOf, timeOf, timeZoneOf } from "../../src/adapters/sources/cells.ts";

function zone(name: string) {
  const found = timeZoneOf(name);
  if (found === null) throw new Error(`there is no zone ${name}`);
  return found;
}

test.each([
  ["2026-11-22 06:48:57.7+00:00", "Asia/Shanghai", "2026-11-22T06:48:57Z"],
  ["2026-11-22T06:48:57Z", "Asia/Shanghai", "2026-11-22T06:48:57Z"],
  ["2026-11-22 06:48:57+03", "UTC", "2026-11-22T03:48:57Z"],
  ["2026-11-22 06:48:57-0330", "UTC", "2026-11-22T10:18:57Z"],
  ["2026-11-22 06:48:57", "UTC", "2026-11-22T06:48:57Z"],
  ["2026-11-22 06:48:57", "Asia/Shanghai", "2026-11-21T22:48:57Z"],
  // The clock goes on to 3 at 2, and back to 2 at 3.
  ["2024-03-31 01:59:59", "Europe/Berlin", "2024-03-31T00:59:59Z"],
  ["2024-03-31 03:00:00", "Europe/Berlin", "2024-03-31T01:00:00Z"],
  ["2024-10-27 01:59:59", "Europe/Berlin", "2024-10-26T23:59:59Z"],
  ["2024-10-27 03:00:00", "Europe/Berlin", "2024-10-27T02:00:00Z"],
  ["9998-12-31 23:59:59", "America/New_York", "9999-01-01T04:59:59Z"],
])("reads the time %s of %s", (text, name, expected) => {
  expect(timeOf(text, zone(name))).toBe(Date.parse(expected) / 1000);
});

test.each([
  null,
  "",
  "yesterday",
  "0000-00-00 00:00:00",
  "2020-00-10 00:00:00",
  "2020-13-45 99:99:99",
  "1969-12-31 23:59:59",
  "1970-01-01 00:00:00",
  "9999-12-31 23:59:59",
  "20201-01-01 00:00:00",
])("takes %j for no time in any zone", (text) => {
  for (const name of ["UTC", "Asia/Shanghai", "America/New_York"]) {
    const time = timeOf(text, zone(name));
    if (name === "America/New_York" && text === "1970-01-01 00:00:00") expect(time).toBe(5 * 3600);
    else expect(time).toBeNull();
  }
});

test.each([
  ["5", 5],
  ["-7", -7],
  ["5.0", 5],
  [" 5 ", 5],
  ["5.5", null],
  ["0x10", null],
  ["1e3", null],
  ["9007199254740993", null],
  ["", null],
  [null, null],
])("takes %j for the number %p", (text, number) => {
  expect(numberOf(text)).toBe(number);
});

test.each([
  ["1", true],
  ["true", true],
  ["t", true],
  ["0", false],
  ["false", false],
  ["2", false],
  ["", false],
  [null, false],
])("takes %j for %p", (text, isTrue) => {
  expect(flagOf(text)).toBe(isTrue);
});
