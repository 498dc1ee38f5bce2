/** Lists of skins and capes stay fast however many there are: no statement reads a long table from end to end, or sorts one. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { migrateDatabase } from "../../src/adapters/sqlite/database.ts";
import { openWriter, type Db } from "../../src/adapters/sqlite/open.ts";
import { textureStore } from "../../src/adapters/sqlite/texture-store.ts";
import type { TextureStore } from "../../src/domain/textures/store.ts";
import { newUuid, type AccountId, type CapeId } from "../../src/kernel/ids.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { isLong, stepsOf } from "../support/query-plan.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Db;
beforeAll(async () => {
  folder = await temporaryFolder();
  const path = join(folder.path, "cloakroom.db");
  migrateDatabase(path, { dryRun: false });
  database = openWriter(path);
});
afterAll(async () => {
  database.$client.close();
  await folder[Symbol.asyncDispose]();
});

/** The ids in a request: as many as are asked for, and no table of ours. */
const isHandedOver = /^SCAN (?:json_each|account|cape) VIRTUAL TABLE INDEX 1:$/;
const anna = 1 as AccountId;
const cape = 1 as CapeId;
const uuid = newUuid();
const keys = [
  { by: "id", value: cape },
  { by: "uuid", value: uuid },
] as const;
const page = (search: string | null) => ({ after: 5, rows: 10, search });

test.each<readonly [string, readonly string[], (textures: TextureStore) => Promise<unknown>]>([
  ["a page of skins", [], ({ listAllSkins }) => listAllSkins(page(null))],
  ["a page of skins by name", [], ({ listAllSkins }) => listAllSkins(page("diver"))],
  ["a page of skins by uuid", ["skins_uuid_unique"], ({ listAllSkins }) => listAllSkins(page(uuid))],
  ["a page of skins by number", [], ({ listAllSkins }) => listAllSkins(page("1234"))],
  ["the count of skins", [], ({ countAllSkins }) => countAllSkins(null)],
  ["the count of skins by name", [], ({ countAllSkins }) => countAllSkins("diver")],
  ["the count of skins by uuid", ["skins_uuid_unique"], ({ countAllSkins }) => countAllSkins(uuid)],
  ["a user's skins", ["skins_account"], ({ listSkinsOf }) => listSkinsOf(anna)],
  ["a skin", ["skins_uuid_unique"], ({ findOwnedSkin }) => findOwnedSkin(uuid)],
  ["a page of capes", [], ({ listAllCapes }) => listAllCapes(page(null))],
  ["a page of capes by name", [], ({ listAllCapes }) => listAllCapes(page("founders"))],
  ["a page of capes by uuid", ["capes_uuid_unique"], ({ listAllCapes }) => listAllCapes(page(uuid))],
  ["the count of capes", [], ({ countAllCapes }) => countAllCapes(null)],
  ["the count of capes by name", [], ({ countAllCapes }) => countAllCapes("founders")],
  ["a cape's owners", ["cape_grants_cape"], ({ listOwners }) => listOwners(cape, 10)],
  ["how many they are", ["cape_grants_cape"], ({ countOwners }) => countOwners(cape)],
  ["many capes", ["capes_uuid_unique"], ({ findCapes }) => findCapes(keys)],
  ["grants that have ended", ["cape_grants_expiry"], ({ listEndedGrants }) => listEndedGrants(5, 10)],
  ["taking grants away", [], ({ deleteGrants }) => deleteGrants(anna, [cape])],
  ["taking capes off", ["skins_account"], ({ unlinkCapes }) => unlinkCapes(anna, [cape])],
  [
    "granting",
    [],
    ({ grantCapes }) => grantCapes({ accounts: [], capes: [cape], grantedAt: 1, expiresAt: null }),
  ],
])("%s: found by indexes, without sorting", async (_, indexes, work) => {
  // Those that are prepared beforehand are among them.
  const steps = await stepsOf(database, (db) => work(textureStore(db, () => undefined)));
  expect(steps.filter((step) => step.startsWith("SEARCH")).length).toBeGreaterThan(5);
  expect(steps.filter(isLong).filter((step) => !isHandedOver.test(step))).toEqual([]);
  for (const index of indexes) expect(steps.join("\n")).toMatch(new RegExp(`INDEX ${index} \\(`));
});
