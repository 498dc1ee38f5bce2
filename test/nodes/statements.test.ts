/** How often a request asks the database: each statement is a round trip. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, type Member } from "../support/members.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { openPostgresProxy } from "../support/postgres-proxy.ts";

if (postgresMissing !== null) console.error(`NOT RUN: statements of requests (${postgresMissing})`);

type World = { readonly anna: Member; readonly skin: string };
type Ask = { readonly request: string; readonly json?: unknown };

const asks: readonly (readonly [string, number, (world: World) => Ask])[] = [
  ["a profile", 2, () => ({ request: "GET /api/home" })],
  [
    "a selected skin",
    8,
    ({ skin }) => ({ request: "POST /api/home/edit/skin/select", json: { skinid: skin } }),
  ],
  [
    "another name of a skin",
    8,
    ({ skin }) => ({ request: "PUT /api/home/edit/skin", json: { skinid: skin, name: "Another" } }),
  ],
  ["another language", 8, () => ({ request: "PATCH /api/home/edit/language", json: { language: "de" } })],
  ["what a player shows", 1, ({ anna }) => ({ request: `GET /csl/${anna.name}.json` })],
];

/** What the node asks for itself, whether there are requests or not. */
const ownWork =
  /\b(?:FROM change|nodes|leases|pg_notify|pg_is_in_recovery|EXISTS \(SELECT 1 FROM event_notes)\b|^SELECT \(extract/;

/** Without the first runs of works, which the harness rolls back. */
function kept(texts: readonly string[]): readonly string[] {
  const lasting: string[] = [];
  for (const text of texts) {
    if (text === "ROLLBACK") lasting.splice(lasting.findLastIndex((one) => one.startsWith("BEGIN")));
    else if (!ownWork.test(text)) lasting.push(text);
  }
  return lasting;
}

describe.skipIf(postgresMissing !== null)("at most so many statements for", () => {
  const opening = new AsyncDisposableStack();
  let harness: Harness;
  let world: World;
  const texts: string[] = [];
  beforeAll(async () => {
    const { url } = opening.use(await emptyDatabase());
    const proxy = opening.use(await openPostgresProxy(url));
    harness = opening.use(await openHarness({ settings: { DATABASE_URL: proxy.url } }));
    const anna = await addMember(harness, "Anna");
    world = { anna, skin: await addSkin(harness, anna, {}) };
    proxy.onStatement((text) => {
      texts.push(text);
      return null;
    });
  });
  afterAll(() => opening.disposeAsync());

  test.each(asks)("%s: %d", async (_, most, askOf) => {
    const { request, json } = askOf(world);
    const [method = "", path = ""] = request.split(" ");
    const headers = { authorization: world.anna.authorization, "content-type": "application/json" };
    const ask = () =>
      harness.fetch(path, { method, headers, ...(json === undefined ? {} : { body: JSON.stringify(json) }) });
    const ofOneRequest = async () => {
      texts.length = 0;
      expect((await ask()).status).toBe(200);
      const sent = kept(texts);
      expect(sent.length).toBeGreaterThan(0);
      return sent;
    };
    let sent = await ofOneRequest();
    // A busy server makes a transaction run again now and then, which counts twice.
    for (let tries = 1; tries < 3 && sent.length > most; tries++) sent = await ofOneRequest();
    expect(sent.slice(most)).toEqual([]);
  });
});
