/* What generated requests have brought to light, asked for by name. */
import { expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";

const lists = ["users", "skins", "allcapes", "audit"];

test.each(lists)("a search for a text with a NUL is no fault in the list of %s", async (list) => {
  await using harness = await openHarness();
  const { authorization } = await addMember(harness, "Keeper", { level: 3 });
  const answer = await harness.fetch(`/api/admin/${list}?q=a%00b`, { headers: { authorization } });
  expect([200, 400]).toContain(answer.status);
  expect(harness.takeComplaints()).toEqual([]);
});
