/** What strangers may try with tokens of games (docs/contract/yggdrasil.md#authserver). */
import { expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { badToken, done, enter, post } from "../yggdrasil/game-world.ts";

test("a token that nobody has waits for no change of others, and holds none up", async () => {
  let transactions = 0;
  await using harness = await openHarness({ beforeTransaction: async () => void (transactions += 1) });
  const member = await addMember(harness, "Anna");
  const { accessToken } = await enter(harness, member);
  const json = { accessToken: accessToken.replace(/^./, (first) => (first === "0" ? "1" : "0")) };
  transactions = 0;
  expect(await post(harness, "/authserver/refresh", json)).toEqual(badToken);
  expect(await post(harness, "/authserver/invalidate", json)).toEqual(done);
  expect(await post(harness, "/authserver/validate", json)).toEqual(badToken);
  expect(transactions).toBe(0);
  expect((await post(harness, "/authserver/refresh", { accessToken })).status).toBe(200);
  expect(transactions).toBe(1);
});
