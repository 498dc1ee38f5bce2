/** Searches among many texts: with the index, without it, and where it is of no use. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { migrateSchema } from "../../src/adapters/postgres/migrate.ts";
import { searchesOf } from "../../src/adapters/postgres/search.ts";
import type { Sender } from "../../src/adapters/sql/sender.ts";
import { openWorkSession } from "../../src/adapters/postgres/connections/work-session.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { stepsOf } from "./plans.ts";
import { notedDatabase } from "../support/noted-database.ts";

if (postgresMissing !== null) console.error(`NOT RUN: searches on PostgreSQL (${postgresMissing})`);

/** More texts than are looked at without the index, if that is no more than a few. */
const rows = 20_000;
const texts = Array.from({ length: rows }, (_, index) => {
  const id = index + 1;
  const place = id % 3 === 0 ? "often" : id % 50 === 0 ? "rarely_" : "";
  return `name${id}\n${place}${id % 4000 === 0 ? "皮肤的%" : ""}@example.org`;
});
const searches = [
  "example",
  "often",
  "rarely",
  "y_@",
  "name777",
  "皮肤的",
  "的%@",
  "org\n",
  "%",
  "name20000",
  "zebra",
];

describe.skipIf(postgresMissing !== null)("among many texts", () => {
  let db: Sender;
  const opening = new AsyncDisposableStack();
  beforeAll(async () => {
    const { url } = opening.use(await emptyDatabase());
    const work = opening.use(await openWorkSession(notedDatabase(url)));
    await migrateSchema({
      session: work,
      hold: async () => new AsyncDisposableStack(),
      say: () => undefined,
    });
    await work.send(
      "INSERT INTO search_texts (kind, id, text) SELECT kind, place, text FROM unnest($1::text[]) WITH ORDINALITY AS texts (text, place), unnest(ARRAY['user', 'audit']) AS kind",
      [texts],
    );
    await work.send("ANALYZE search_texts", []);
    await work.send("SET enable_seqscan = off", []);
    db = work;
  });
  afterAll(() => opening.disposeAsync());

  const expectAll = async () => {
    for (const search of searches) {
      const { find, count, holds } = searchesOf(db).of("user");
      const isHeld = (text: string) => search.length >= 3 && text.includes(search);
      const ids = texts.flatMap((text, index) => (isHeld(text) ? [index + 1] : []));
      const found = [
        await find(search, { after: null, rows: 7 }),
        await find(search, { after: 9_999, rows: 7 }),
        await find(search, { after: 9_999, rows: 7, isNewestFirst: true }),
        await find(search, { after: null, rows: rows, isNewestFirst: true }),
      ];
      const after = ids.filter((id) => id > 9_999);
      const before = ids.filter((id) => id < 9_999).toReversed();
      const expected = [ids.slice(0, 7), after.slice(0, 7), before.slice(0, 7), ids.toReversed()];
      expect([search, ...found]).toEqual([search, ...expected]);
      expect([search, await count(search), await count(search, 5)]).toEqual([
        search,
        ids.length,
        Math.min(ids.length, 5),
      ]);
      expect(await holds(search, ids[0] ?? 1)).toBe(ids.length > 0);
    }
  };

  test("each is found, page by page and in both directions, and counted", expectAll);

  test("what is rare is found by the index of its kind", async () => {
    const steps = await stepsOf(db, async (sender) => {
      await searchesOf(sender).of("user").find("name777", { after: null, rows: 20 });
      await searchesOf(sender).of("audit").count("name777");
    });
    expect(steps.searched).toContain("search_texts_user");
    expect(steps.searched).toContain("search_texts_audit");
    expect(steps.scanned).toEqual([]);
  });

  test("a frequent text fills its page without the index", async () => {
    const steps = await stepsOf(db, (sender) =>
      searchesOf(sender).of("user").find("often", { after: null, rows: 20 }),
    );
    const ofTexts = steps.searched.filter((index) => index.startsWith("search_texts"));
    expect(ofTexts).toEqual(["search_texts_kind_id_pk"]);
  });

  test("the same is found where the extension is missing", async () => {
    await db.send("BEGIN", []);
    await db.send("DROP EXTENSION pg_trgm CASCADE", []);
    await expectAll();
    await db.send("ROLLBACK", []);
  });
});
