/** Fields of the types `date` and `datetime-local`, in the zone of the visitor. */
import { describe, expect, test } from "bun:test";
import { fromDayField, fromField, startOfDay, toDayField, toField } from "../../src/web/parts/moments.ts";

const noon = new Date(2026, 2, 29, 12, 30, 15).getTime() / 1000;

describe("a field of a day", () => {
  test("shows the visitor's day, and nothing without a time", () => {
    expect([toDayField(noon), toDayField(null)]).toEqual(["2026-03-29", ""]);
  });

  test("means its first or its last second", () => {
    const [first, last] = [fromDayField("2026-03-29", "first"), fromDayField("2026-03-29", "last")];
    expect(first).toBe(new Date(2026, 2, 29).getTime() / 1000);
    expect(last).toBe(new Date(2026, 2, 30).getTime() / 1000 - 1);
    expect([toDayField(first), toDayField(last)]).toEqual(["2026-03-29", "2026-03-29"]);
  });

  test.each(["", "0002-01-01", "0202-12-31", "yesterday"])("has no time while it holds %j", (value) => {
    expect(fromDayField(value, "first")).toBeNull();
  });
});

test.each([
  [0, new Date(2026, 2, 1)],
  [1, new Date(2026, 1, 28)],
  [6, new Date(2026, 1, 23)],
  [29, new Date(2026, 0, 31)],
])("the day %i days ago begins at midnight", (ago, day) => {
  expect(startOfDay(ago, new Date(2026, 2, 1, 23, 59))).toBe(day.getTime() / 1000);
});

test("a field of a moment keeps the seconds of what it showed", () => {
  expect(fromField(toField(noon), noon)).toBe(noon);
  expect(fromField(toField(noon))).toBe(noon - 15);
  expect(fromField("")).toBeNull();
});
