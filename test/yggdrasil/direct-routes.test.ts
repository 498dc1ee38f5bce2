/**
 * What is served without the framework is answered as the framework does, which has every other spelling of a
 * path.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import { sendRaw } from "../support/raw-http.ts";
import { enter, join, plain, root, type SignedIn } from "./game-world.ts";

let harness: Harness;
let alice: Member;
let session: SignedIn;
beforeAll(async () => {
  harness = await openHarness();
  alice = await addMember(harness, "Alice");
  session = await enter(harness, alice);
});
afterAll(() => harness[Symbol.asyncDispose]());

const place = `${root}/sessionserver/session/minecraft`;

/**
 * Asks at the path and at another spelling of it. Both answers are the same, and so are the routes in the
 * log.
 */
async function askBoth(path: string, query: string, init: RequestInit = {}) {
  const read = async (spelling: string) => {
    const { status, headers, body } = await harness.fetch(`${spelling}${query}`, init);
    const [line] = harness.takeRequests();
    return { status, headers: [...headers], text: await new Response(body).text(), route: line?.["route"] };
  };
  harness.takeRequests();
  const directly = await read(path);
  expect(directly).toEqual(await read(`${path}/`));
  return directly;
}

const whole = () => ({
  accessToken: session.accessToken,
  selectedProfile: plain(alice.uuid),
  serverId: "ab",
});

describe("join", () => {
  const bodies: readonly (readonly [what: string, status: number, body: () => unknown])[] = [
    ["as it should be", 204, whole],
    ["with more fields", 204, () => ({ ...whole(), more: { deep: [1] }, profile: null })],
    ["with a profile", 204, () => ({ ...whole(), selectedProfile: { id: alice.uuid, name: "A", more: 1 } })],
    ["without a token", 400, () => ({ ...whole(), accessToken: undefined })],
    ["with a blank token", 400, () => ({ ...whole(), accessToken: " " })],
    ["with another's token", 403, () => ({ ...whole(), accessToken: "0".repeat(64) })],
    ["of a number", 400, () => ({ ...whole(), serverId: 7 })],
    ["of a bad server", 400, () => ({ ...whole(), serverId: "x" })],
    ["of a bad player", 400, () => ({ ...whole(), selectedProfile: "x" })],
    ["that hides what is inherited", 400, () => ({ ...whole(), toString: 1 })],
    ["of a list", 400, () => []],
    ["of null", 400, () => null],
    ["that is no JSON", 400, () => "{"],
    ["that is empty", 400, () => ""],
    ["that is too long", 413, () => `"${"x".repeat(70_000)}"`],
  ];

  test.each(bodies)("%s is answered with %d", async (_, status, body) => {
    const given = body();
    const json = typeof given === "string" ? given : JSON.stringify(given);
    const answer = await askBoth(`${place}/join`, "?a=1", { method: "POST", body: json });
    expect(answer).toMatchObject({ status, route: `${place}/join` });
  });

  test("without a body is refused", async () => {
    expect(await askBoth(`${place}/join`, "", { method: "POST" })).toMatchObject({ status: 400 });
  });

  test("by another method is refused", async () => {
    expect(await askBoth(`${place}/join`, "", { method: "PUT", body: "{}" })).toMatchObject({ status: 405 });
  });
});

describe("hasJoined", () => {
  const queries: readonly (readonly [query: string, status: number])[] = [
    ["?username=Alice&serverId=ab", 200],
    ["?serverId=ab&username=%41lice&more=1", 200],
    ["?username=Alice&serverId=ab&ip=", 204],
    ["?username=Alice&serverId=ab&ip=192.0.2.1", 204],
    ["?username=alice&serverId=ab", 204],
    ["?username=Nobody&serverId=ab", 204],
    ["?username=Nobody&username=Alice&serverId=ab", 200],
    ["?username=Alice+&serverId=ab", 204],
    ["?username=%zz&serverId=ab", 204],
    ["?username=Alice", 400],
    ["?username=+&serverId=ab", 400],
    ["?username&serverId=ab", 400],
    ["?username[]=Alice&serverId=ab", 400],
    ["?", 400],
    ["", 400],
  ];

  test.each(queries)("%s is answered with %d", async (query, status) => {
    await join(harness, session, "ab");
    const answer = await askBoth(`${place}/hasJoined`, query);
    expect(answer).toMatchObject({ status, route: `${place}/hasJoined` });
  });

  test("is not at an address with a fragment, as the framework has it", async () => {
    const { address } = harness.listen();
    const line = `GET ${place}/hasJoined#?username=Alice&serverId=ab HTTP/1.1`;
    const answer = await sendRaw(address, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answer).toStartWith("HTTP/1.1 405 ");
  });

  test("for its head alone has no body", async () => {
    await join(harness, session, "ab");
    const answer = await askBoth(`${place}/hasJoined`, "?username=Alice&serverId=ab", { method: "HEAD" });
    expect(answer).toMatchObject({ status: 200, text: "" });
  });
});
