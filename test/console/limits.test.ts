/** How often strangers may try at the console's own addresses: a limit of the address, taken before a body is read. */
import { expect, test } from "bun:test";
import { writeClaim } from "../../src/http/resources/social-account.ts";
import { ownHeaders } from "../support/console.ts";
import { openHarness } from "../support/harness.ts";

const claim = writeClaim({ subject: "someone", connectionId: 1 });

test.each([
  ["sign-ins under other names", "session", (at: number) => ({ username: `a${at}`, password: "x" }), 20, 60],
  ["sign-ins that are not understood", "session", () => null, 20, 60],
  ["set-ups that are not understood", "setup", () => null, 20, 60],
  ["people to be linked", "social", () => null, 60, 60],
  ["accounts of people who did not come", "social", () => ({ action: "create" }), 20, 600],
] as const)("%s are limited", async (_, path, bodyOf, times, seconds) => {
  await using harness = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } });
  const send = (at: number) => {
    const body = bodyOf(at);
    return harness.fetch(`/console/${path}`, {
      method: "POST",
      headers: {
        ...ownHeaders,
        "content-type": "application/json",
        cookie: `__Host-cloakroom_person=${claim}`,
      },
      body: body === null ? `{"n":` : JSON.stringify(body),
    });
  };
  const statuses: number[] = [];
  for (let at = 0; at < times; at++) statuses.push((await send(at)).status);
  expect(statuses.filter((status) => status === 429)).toEqual([]);
  const limited = await send(times);
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, String(seconds)]);
  harness.clock.advance(seconds);
  expect((await send(times + 1)).status).not.toBe(429);
});
