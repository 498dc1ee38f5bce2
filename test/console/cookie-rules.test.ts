/**
 * The console's cookie counts for requests of our own pages alone (SECURITY.md#browsers): one table of what
 * browsers, other sites and programs send. Each row is played for a read, for a change, for the session
 * itself and for signing in, at a real server.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, signIn, type Member } from "../support/members.ts";
import { openConsoleBrowser, plainName, secureName, type ConsoleSession } from "../support/console.ts";
import { forwardedRows, hosts, places, rows, type Place } from "./header-sets.ts";

type World = {
  readonly harness: Harness;
  readonly address: string;
  readonly member: Member;
  readonly jwt: string;
};

const worlds = new Map<Place, Promise<World>>();
afterAll(async () => {
  for (const world of worlds.values()) await (await world).harness[Symbol.asyncDispose]();
});

/** One server for each place, which the rows share. */
function worldAt(place: Place): Promise<World> {
  const opened = worlds.get(place) ?? openWorld(place);
  worlds.set(place, opened);
  return opened;
}

async function openWorld(place: Place): Promise<World> {
  const harness = await openHarness({ settings: { PUBLIC_URL: places[place].publicUrl ?? undefined } });
  const member = await addMember(harness, "Anna");
  const { address } = harness.listen();
  return { harness, address, member, jwt: await signInToConsole(harness, member) };
}

/** The token of a console's session. */
async function signInToConsole(harness: Harness, member: Member): Promise<string> {
  const browser = openConsoleBrowser(harness, barePage);
  await browser.signIn(member);
  return [...browser.cookies.values()].join();
}

/** The least that a page sends, wherever it is. */
const barePage = { "x-cloakroom-console": "1" };
/** Without a port of its own a harness does not know whether browsers come by https. */
const asPage = (token: string) => ({
  ...barePage,
  cookie: `${secureName}=${token}; ${plainName}=${token}`,
});

describe.each(rows)("$place: $name", ({ place, sends, cookies, counts, opens = counts }) => {
  const ask = async (request: string, json?: unknown): Promise<Response> => {
    const { address, jwt } = await worldAt(place);
    const [method = "", path = ""] = request.split(" ");
    const port = new URL(address).port;
    const filled = Object.entries(sends).map(([name, value]) => [name, value.replaceAll("PORT", port)]);
    const { cookieName } = places[place];
    const cookie = (cookies ?? [`${cookieName}=JWT`]).map((one) => one.replace("JWT", jwt)).join("; ");
    return fetch(address + path, {
      method,
      headers: {
        host: hosts[place].replace("PORT", port),
        ...Object.fromEntries(filled),
        ...(cookie === "" ? {} : { cookie }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  };

  test("a read", async () => {
    const answer = await ask("GET /api/home");
    expect(answer.status).toBe(counts ? 200 : 401);
    if (!counts) expect(await answer.text()).not.toContain("Anna");
  });

  test("a change", async () => {
    const { harness, member } = await worldAt(place);
    await signIn(harness, member.name, member.password);
    const before = harness.countRows("sessions");
    const { current } = await newestOther(await worldAt(place));
    const answer = await ask(`DELETE /api/home/sessions/${current}`);
    expect(answer.ok).toBe(counts);
    if (!counts) expect(answer.status).toBe(401);
    expect(harness.countRows("sessions")).toBe(before - (counts ? 1 : 0));
  });

  test("the session", async () => {
    const answer = await ask("GET /console/session");
    expect(answer.status).toBe(200);
    const { data } = await readJson<Envelope<ConsoleSession | null>>(answer);
    expect(data?.username ?? null).toBe(counts ? "Anna" : null);
    const social = await ask("GET /console/social");
    // Removing a cookie would sign a member out at another site's will.
    if (!opens) for (const { headers } of [answer, social]) expect(headers.getSetCookie()).toEqual([]);
    if (counts) expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("signing in and out", async () => {
    const { harness, member, jwt } = await worldAt(place);
    const before = harness.countRows("sessions");
    const answer = await ask("POST /console/session", { username: "Anna", password: member.password });
    expect(answer.status).toBe(opens ? 200 : 403);
    expect(answer.headers.has("set-cookie")).toBe(opens);
    if (!opens) expect(harness.countRows("sessions")).toBe(before);
    const out = await ask("DELETE /console/session");
    expect(out.status).toBe(opens ? 204 : 403);
    const home = await harness.fetch("/api/home", { headers: asPage(jwt) });
    // Who signs in gives up the session that the browser's cookie names, also where that does not count.
    const isEnded = counts || (opens && cookies === undefined);
    expect(home.status).toBe(isEnded ? 401 : 200);
    // Rows share the world, so the next one gets a session of its own.
    if (isEnded) worlds.set(place, renew(await worldAt(place)));
  });

  test("setting up and linking", async () => {
    const body = { secret: "x", mail: "a@example.org", username: "Olga", password: "a password of hers" };
    const setup = await ask("POST /console/setup", body);
    const link = await ask("POST /console/social", { action: "create" });
    const [refusedSetup, refusedLink] = [await why(setup), await why(link)];
    if (opens) {
      expect([setup.status, link.status]).toEqual([403, 400]);
      expect(refusedSetup).toMatch(/^This link is not valid/);
      expect(refusedLink).toMatch(/^This sign-in has expired/);
    } else {
      expect([setup.status, link.status]).toEqual([403, 403]);
      expect(refusedSetup).toStartWith("Only the console's own pages may do this");
      expect(refusedLink).toBe(refusedSetup);
    }
  });
});

async function why(answer: Response): Promise<string> {
  return (await readJson<Envelope<object>>(answer)).msg;
}

async function renew(world: World): Promise<World> {
  return { ...world, jwt: await signInToConsole(world.harness, world.member) };
}

/** The id of a session of the member that is not the cookie's. */
async function newestOther({ harness, jwt }: World): Promise<{ readonly current: string }> {
  const answer = await harness.fetch("/api/home/sessions", { headers: asPage(jwt) });
  const { data } = await readJson<Envelope<{ id: string; current: boolean }[]>>(answer);
  const other = data.find(({ current }) => !current);
  if (other === undefined) throw new Error("no other session");
  return { current: other.id };
}

test("every rule is broken alone by at least one row that is refused", () => {
  const refused = rows.filter(({ counts }) => !counts);
  const breaks = (header: string) => refused.filter(({ sends }) => header in sends).length;
  expect(breaks("origin")).toBeGreaterThan(5);
  expect(breaks("sec-fetch-site")).toBeGreaterThan(2);
  expect(refused.filter(({ sends }) => !("x-cloakroom-console" in sends)).length).toBeGreaterThan(1);
  expect(forwardedRows.length).toBeGreaterThan(0);
});
