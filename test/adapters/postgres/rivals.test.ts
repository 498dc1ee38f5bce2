import { expect, test } from "bun:test";
import type { Choice } from "../../../src/adapters/postgres/connections/primary.ts";
import { KnownRivals } from "../../../src/adapters/postgres/connections/rivals.ts";

const [one, other] = [
  { host: "one", port: 5432 },
  { host: "other", port: 5432 },
];
const standing = (timeline: number, startedAt: string) => ({
  isStandby: false,
  isReadOnly: false,
  history: { system: "1", timeline, startedAt },
});
const look = (more: Partial<Choice> = {}): Choice => ({
  host: one,
  standing: standing(2, "20"),
  rivals: [],
  unsure: [],
  ...more,
});
const rival = { host: other, standing: standing(1, "10") };

test("another server that takes writes is there while it gives no answer, for a minute", () => {
  const rivals = new KnownRivals();
  expect(rivals.after(look({ unsure: [other] }), 0)).toEqual([]);
  expect(rivals.after(look({ rivals: [rival] }), 1_000)).toEqual([rival]);
  expect(rivals.after(look({ unsure: [other] }), 60_000)).toEqual([rival]);
  expect(rivals.after(look({ unsure: [other] }), 61_000)).toEqual([]);
  expect(rivals.after(look({ unsure: [other] }), 61_001)).toEqual([]);
});

test("it is gone once it answers that it takes none, and when it is the one that is used", () => {
  const rivals = new KnownRivals();
  rivals.after(look({ rivals: [rival] }), 0);
  expect(rivals.after(look(), 1)).toEqual([]);
  expect(rivals.after(look({ unsure: [other] }), 2)).toEqual([]);
  rivals.after(look({ rivals: [rival] }), 3);
  expect(rivals.after(look({ standing: rival.standing, unsure: [other] }), 4)).toEqual([]);
});
