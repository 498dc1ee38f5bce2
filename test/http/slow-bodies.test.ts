import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from "bun:test";
import { checkHeaders, expectError } from "../support/scenario.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import { isLeftOut } from "../support/storages.ts";

let harness: Harness;
let alice: Member;
beforeAll(async () => {
  harness = await openHarness();
  alice = await addMember(harness, "Alice");
});
afterAll(() => harness[Symbol.asyncDispose]());

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/**
 * A body that begins and never ends. `begun` resolves when the service waits for more; its time counts from
 * the next turn on.
 */
function endless(begin: string) {
  const begun = Promise.withResolvers<void>();
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (pulls++ === 0) return controller.enqueue(new TextEncoder().encode(begin));
      begun.resolve();
      return new Promise<void>(() => {});
    },
  });
  return { body, begun: begun.promise };
}

/** 30 seconds, and as many more as the largest body takes on a slow line. */
const cases = [
  ["of JSON", "POST /api/auth/login", "application/json", 31],
  ["of JSON in an edit", "PATCH /api/home/edit/username", "application/json", 31],
  ["of a file", "POST /api/home/edit/upload", "multipart/form-data; boundary=b", 63],
] as const;

const isTimed = isLeftOut("sqlite", "the timers that the test moves are those of connections, too");
describe.skipIf(isTimed).each(cases)("a body %s that trickles in", (_, request, type, seconds) => {
  test("is cut with 408, and the connection with it", async () => {
    const [method, path = ""] = request.split(" ");
    const { body, begun } = endless("{");
    const headers = { "content-type": type, authorization: alice.authorization };
    let isAnswered = false;
    const answer = harness
      .fetch(path, { method: method ?? "", headers, body })
      .finally(() => void (isAnswered = true));
    await begun;
    await nextTurn();
    jest.advanceTimersByTime(seconds * 1000 - 1);
    await Promise.resolve();
    expect(isAnswered).toBe(false);
    jest.advanceTimersByTime(1);
    const response = await answer;
    checkHeaders(response, { connection: "close" });
    await expectError(response, 408, new RegExp(`^The body must arrive within ${seconds} seconds$`));
  });
});

test("a page's form that trickles in is cut in the same way", async () => {
  const { body, begun } = endless("mails=");
  const answer = harness.fetch("/mail/unsubscribe/nobodys", { method: "POST", body });
  await begun;
  await nextTurn();
  jest.advanceTimersByTime(31_000);
  const response = await answer;
  expect(response.status).toBe(408);
  checkHeaders(response, { connection: "close", "content-type": /^text\/html/ });
});
