import { expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { dawdlers, gather, headerFlood, idlers, uploader } from "./crowd.ts";

/** How long others wait meanwhile, `bun run test:faults` measures. */
test("others are served while a crowd holds connections, uploads without end and floods with headers", async () => {
  await using harness = await openHarness();
  const alice = await addMember(harness, "Alice");
  const { address } = harness.listen();
  const port = Number(new URL(address).port);
  await using idle = await gather(port, idlers(200));
  await using _slow = await gather(port, dawdlers(20));
  await using _declared = await gather(port, uploader(alice.jwt, true));
  await using _chunked = await gather(port, uploader(alice.jwt, false));
  await using _flood = await gather(port, headerFlood(5));
  for (let request = 0; request < 100; request++) {
    const answer = await fetch(`${address}/api/home`, { headers: { authorization: alice.authorization } });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  }
  expect(idle.open()).toBe(200);
  expect(harness.takeComplaints()).toEqual([]);
});
