/** What the log shows about guessed passwords. */
import { describe, expect, test } from "bun:test";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, edit } from "../support/members.ts";
import { send } from "../support/registration.ts";
import { link, meet, metaOf, openSocialWorld } from "../support/social/social-world.ts";

const guess = "a wrong guess at it";
const from = (address: string) => ({ "x-forwarded-for": address });

const tryLogin = (harness: Harness, username: string, address = "192.0.2.1") =>
  send(harness, "POST /api/auth/login", { username, password: guess }, from(address));

/** A service behind a proxy, with somebody in it and nothing in its log. */
async function openGuarded(settings: Readonly<Record<string, string>> = {}) {
  const harness = await openHarness({ settings: { TRUSTED_PROXIES: "127.0.0.1", ...settings } });
  const alice = await addMember(harness, "Alice");
  harness.takeLog();
  harness.takeRequests();
  return Object.assign(harness, { alice });
}

/** The lines of refused passwords since the last look. */
const takeRefusals = (harness: Harness) =>
  harness.takeLog().filter(({ message }) => message === "password refused");

describe("a refused password has a line", () => {
  test.each([
    ["Alice", "192.0.2.7", "192.0.2.7"],
    ["ALICE@example.org", "2001:DB8::0:1", "2001:db8::1"],
  ])("that names whose it is not, and who tried: %s from %s", async (username, address, client) => {
    await using harness = await openGuarded();
    await tryLogin(harness, username, address);
    const [request] = harness.takeRequests();
    expect(takeRefusals(harness)).toEqual([
      {
        time: expect.any(String),
        level: "info",
        message: "password refused",
        requestId: request?.["requestId"],
        route: "/api/auth/login",
        client,
        reason: "does not match",
        user: harness.alice.account.id,
      },
    ]);
  });

  test("without an unknown name, because it may be a password", async () => {
    await using harness = await openGuarded();
    await tryLogin(harness, "hunter two and more");
    const lines = takeRefusals(harness);
    expect(lines).toMatchObject([{ client: "192.0.2.1", reason: "unknown account" }]);
    expect(JSON.stringify(lines)).not.toMatch(/hunter|user"/);
  });

  test("also when a social account is to be linked", async () => {
    await using world = await openSocialWorld();
    const { harness } = world;
    const { name, account } = await addMember(harness, "Alice");
    await link(harness, { name, password: guess }, metaOf(await meet(world)));
    expect(takeRefusals(harness)).toMatchObject([{ route: "/api/auth/login/social", user: account.id }]);
    harness.takeComplaints();
  });

  test("also when somebody who is signed in does not know it", async () => {
    await using harness = await openGuarded();
    const { alice } = harness;
    const json = { username: "Alice_2", password: guess };
    expect((await edit(harness, alice, "PATCH /api/home/edit/username", json)).status).toBe(400);
    expect(takeRefusals(harness)).toMatchObject([
      { route: "/api/home/edit/username", client: "127.0.0.1", user: alice.account.id },
    ]);
  });

  test("as long as it is looked at: what is over the limit is not, so a flood fills no disk", async () => {
    await using harness = await openGuarded({ RATE_LIMIT_FACTOR: "1" });
    for (let i = 0; i < 30; i++) await tryLogin(harness, "Alice");
    expect(takeRefusals(harness)).toHaveLength(5);
    for (let i = 0; i < 30; i++) await tryLogin(harness, `Nobody_${i}`);
    expect(takeRefusals(harness)).toHaveLength(15);
  });

  test("whatever LOG_REQUESTS says", async () => {
    await using harness = await openGuarded({ LOG_REQUESTS: "none" });
    await tryLogin(harness, "Alice");
    expect(takeRefusals(harness)).toHaveLength(1);
  });
});

test("a right password has no such line", async () => {
  await using harness = await openGuarded();
  const { name: username, password } = harness.alice;
  expect((await send(harness, "POST /api/auth/login", { username, password })).status).toBe(200);
  expect(takeRefusals(harness)).toEqual([]);
});
