/**
 * How often strangers may try at the console's own addresses: a limit of the address, taken before a body is
 * read.
 */
import { expect, test } from "bun:test";
import { writeClaim } from "../../src/http/resources/social-account.ts";
import { ownHeaders } from "../support/console.ts";
import { openHarness } from "../support/harness.ts";

const claim = writeClaim({ subject: "someone", connectionId: 1 });

const unreadable = () => '{"n":';
const create = () => JSON.stringify({ action: "create" });
const wrong = (at: number) => JSON.stringify({ username: `a${at}`, password: "x" });

test.each([
  { name: "sign-ins under other names", path: "session", bodyOf: wrong, times: 20, seconds: 60 },
  { name: "sign-ins that are not understood", path: "session", bodyOf: unreadable, times: 20, seconds: 60 },
  { name: "set-ups that are not understood", path: "setup", bodyOf: unreadable, times: 20, seconds: 60 },
  { name: "links that are not understood", path: "social", bodyOf: unreadable, times: 60, seconds: 60 },
  { name: "accounts of people who never came", path: "social", bodyOf: create, times: 20, seconds: 600 },
])("$name are limited", async ({ path, bodyOf, times, seconds }) => {
  await using harness = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } });
  const send = (at: number) =>
    harness.fetch(`/console/${path}`, {
      method: "POST",
      headers: {
        ...ownHeaders,
        "content-type": "application/json",
        cookie: `__Host-cloakroom_person=${claim}`,
      },
      body: bodyOf(at),
    });
  const statuses: number[] = [];
  for (let at = 0; at < times; at++) statuses.push((await send(at)).status);
  expect(statuses.filter((status) => status === 429)).toEqual([]);
  const limited = await send(times);
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, String(seconds)]);
  harness.clock.advance(seconds);
  expect((await send(times + 1)).status).not.toBe(429);
});
