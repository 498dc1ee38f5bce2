import { and, asc, desc, eq, getTableColumns, gt, gte, lt, lte, notExists, sql } from "drizzle-orm";
import type { SkinChange, TextureReads, TextureStore } from "../../domain/ports/texture-store.ts";
import { limits } from "../../kernel/limits.ts";
import { appearanceFinder } from "./appearance.ts";
import { banReads, banStore } from "./ban-store.ts";
import { capeReads, capeStore } from "./cape-store.ts";
import { isIn, rowsIn, spell } from "./dialect.ts";
import { listing } from "./listing.ts";
import { pick } from "./rows.ts";
import type { Pages } from "./pages.ts";
import {
  ownedSkinColumns,
  skinColumns,
  textureColumns,
  toOwnedSkin,
  toSkin,
  toTexture,
} from "./texture-rows.ts";
import { accounts, capes, droppedFiles, players, skins, textures } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { changesShown, wearersOfSkins, type ChangedRow } from "./shown.ts";
import { build, cellsIn, command, first, insertion, setsOf, statement } from "./statement.ts";
import type { Touch } from "./touch.ts";

const textureRow = getTableColumns(textures);
const value = sql.placeholder("value");
const rows = sql.placeholder("rows");
const hash = sql.placeholder("hash");

const findTexture = statement(
  build.select(textureColumns).from(textures).where(eq(textures.hash, value)),
  textureColumns,
);
const listTextures = statement(
  build
    .select(textureColumns)
    .from(textures)
    .where(gt(textures.hash, sql`${sql.placeholder("after")}`))
    .orderBy(asc(textures.hash))
    .limit(rows),
  textureColumns,
);
const listFiles = statement(
  build
    .select({ file: textures.file })
    .from(textures)
    .where(isIn(textures.hash, sql.placeholder("hashes"), "text")),
  { file: textures.file },
);
const listDropped = statement(
  build
    .select({ file: droppedFiles.file })
    .from(droppedFiles)
    .where(lte(droppedFiles.at, sql.placeholder("until")))
    .orderBy(asc(droppedFiles.at))
    .limit(rows),
  { file: droppedFiles.file },
);
const countUses = statement(
  sql`SELECT (SELECT count(*) FROM skins WHERE texture_hash = ${value}),
    (SELECT count(*) FROM capes WHERE texture_hash = ${value} OR wings_hash = ${value})`,
  { skins: Number, capes: Number },
);
const isWorn = statement(
  sql`SELECT EXISTS (
    SELECT 1 FROM skins JOIN players ON players.selected_skin_id = skins.id WHERE skins.texture_hash = ${value})`,
  { isWorn: Boolean },
);
const isUnused = [skins.textureHash, capes.textureHash, capes.wingsHash].map((column) =>
  notExists(
    build
      .select({ one: sql`1` })
      .from(column.table)
      .where(eq(column, textures.hash)),
  ),
);
// What begins with the digits lies between them and what comes after every hexadecimal digit.
const listUnused = statement(
  build
    .select({ hash: textures.hash })
    .from(textures)
    .where(
      and(gte(textures.hash, sql.placeholder("from")), lt(textures.hash, sql.placeholder("to")), ...isUnused),
    )
    .limit(rows),
  { hash: textures.hash },
);

const skinRows = () =>
  build.select(skinColumns).from(skins).innerJoin(textures, eq(textures.hash, skins.textureHash)).$dynamic();
const findSkin = statement(skinRows().where(eq(skins.uuid, value)), skinColumns);
const listSkins = statement(skinRows().where(eq(skins.accountId, value)).orderBy(asc(skins.id)), skinColumns);
const countSkins = statement(sql`SELECT count(*) FROM skins WHERE account_id = ${value}`, { skins: Number });

/** The lists that searches look through. */
export type TexturePages = { readonly skins: Pages; readonly capes: Pages };

export function textureReads(db: Sender, pages: TexturePages): TextureReads {
  return {
    ...ownedSkinReads(db, pages.skins),
    ...capeReads(db, pages.capes),
    ...banReads(db),
    findAppearance: appearanceFinder(db),
    findTexture: async (hash) => {
      const row = first(await findTexture(db, { value: hash }));
      return row === null ? null : toTexture(row);
    },
    listTextures: async (after, rows) =>
      (await listTextures(db, { after: after ?? "", rows })).map(toTexture),
    listTextureFiles: async (hashes) => (await listFiles(db, { hashes })).map(({ file }) => file),
    listDroppedFiles: async (until, rows) => (await listDropped(db, { until, rows })).map(({ file }) => file),
    countUses: async (hash) => first(await countUses(db, { value: hash })) ?? { skins: 0, capes: 0 },
    isWorn: async (hash) => first(await isWorn(db, { value: hash }))?.isWorn === true,
    listUnusedTextures: async (digits, rows) =>
      (await listUnused(db, { from: digits, to: `${digits}g`, rows })).map(({ hash }) => hash),
    findSkin: async (uuid) => {
      const row = first(await findSkin(db, { value: uuid }));
      return row === null ? null : toSkin(row);
    },
    listSkins: async (account) => (await listSkins(db, { value: account })).map(toSkin),
    countSkins: async (account) => first(await countSkins(db, { value: account }))?.skins ?? 0,
  };
}

type OwnedSkinReads = Pick<
  TextureReads,
  "findOwnedSkin" | "listSkinsOf" | "listAllSkins" | "countAllSkins" | "listOthersShowing"
>;

const ownedSkins = () =>
  build
    .select(ownedSkinColumns)
    .from(skins)
    .innerJoin(textures, eq(textures.hash, skins.textureHash))
    .innerJoin(accounts, eq(accounts.id, skins.accountId))
    .leftJoin(players, eq(players.id, accounts.mainPlayerId))
    .leftJoin(capes, eq(capes.id, skins.capeId))
    .$dynamic();
const findOwnedSkin = statement(ownedSkins().where(eq(skins.uuid, value)), ownedSkinColumns);
const listPage = listing(ownedSkinColumns, skins.id, (condition, order) =>
  ownedSkins().where(condition).orderBy(order),
);
const listOwnedSkins = statement(
  ownedSkins().where(eq(skins.accountId, value)).orderBy(asc(skins.id)),
  ownedSkinColumns,
);

const others = sql`
  SELECT id FROM skins WHERE texture_hash = ${hash} AND account_id <> ${sql.placeholder("account")}
  LIMIT ${limits.sameTextureMax}`;
// SQLite has the skins of a bitmap in this order.
const isOther = spell({
  postgres: sql`${skins.id} IN (SELECT id FROM (${others}) AS others ORDER BY id DESC LIMIT ${rows})`,
  sqlite: sql`${skins.textureHash} = ${hash} AND +${skins.accountId} <> ${sql.placeholder("account")}`,
});
const listOthers = statement(
  ownedSkins().where(isOther).orderBy(desc(skins.id)).limit(rows),
  ownedSkinColumns,
);
const countOthers = statement(sql`SELECT count(*) FROM (${others}) AS others`, { total: Number });

function ownedSkinReads(db: Sender, pages: Pages): OwnedSkinReads {
  return {
    findOwnedSkin: async (uuid) => {
      const row = first(await findOwnedSkin(db, { value: uuid }));
      return row === null ? null : toOwnedSkin(row);
    },
    listSkinsOf: async (account) => (await listOwnedSkins(db, { value: account })).map(toOwnedSkin),
    listAllSkins: async (page) => (await listPage(db, pages, page)).map(toOwnedSkin),
    countAllSkins: (search, most) => pages.count(search, most),
    listOthersShowing: async ({ accountId: account, texture: { hash } }, rows) => ({
      rows: (await listOthers(db, { account, hash, rows })).map(toOwnedSkin),
      total: first(await countOthers(db, { account, hash }))?.total ?? 0,
    }),
  };
}

const insertTexture = command(insertion(textures, textureRow));
const { file } = textureRow;
const setFile = command(build.update(textures).set(setsOf({ file })).where(eq(textures.hash, hash)));
const deleteTexture = statement(
  build
    .delete(textures)
    .where(and(eq(textures.hash, hash), ...isUnused))
    .returning({ file }),
  { file },
);
const insertDropped = command(sql`
  INSERT INTO dropped_files (file, at)
  SELECT value, CAST(${sql.placeholder("at")} AS bigint) FROM ${rowsIn(sql.placeholder("files"), "texts")}
  WHERE true ON CONFLICT DO NOTHING`);
const deleteDropped = command(
  build.delete(droppedFiles).where(isIn(droppedFiles.file, sql.placeholder("files"), "text")),
);

/** `touch` gets every subject of delivery that a write changes. */
export function textureStore(db: Sender, touch: Touch, pages: TexturePages): TextureStore {
  return {
    ...textureReads(db, pages),
    ...capeStore(db, touch),
    ...banStore(db),
    ...skinStore(db, touch),
    insertTexture: (texture) => insertTexture(db, texture),
    setTextureFile: (hash, file) => setFile(db, { hash, file }),
    deleteTextureIfUnused: async (hash) => {
      const row = first(await deleteTexture(db, { hash }));
      if (row === null) return null;
      touch.note(`texture:${hash}`);
      return row.file;
    },
    insertDroppedFiles: async (files, at) => {
      if (files.length > 0) await insertDropped(db, { files, at });
    },
    deleteDroppedFiles: (files) => deleteDropped(db, { files }),
  };
}

type SkinWrites = Pick<TextureStore, "insertSkin" | "updateSkin" | "deleteSkin" | "deleteSkinsShowing">;

const id = sql.placeholder("id");
// Further columns begin with their default.
const newSkin = pick(skins, "uuid", "accountId", "name", "model", "capeId", "createdAt", "textureHash");
const insertSkin = statement(sql`${insertion(skins, newSkin)} RETURNING id`, { id: skins.id });
const changed = { id: skins.id, uuid: skins.uuid };
const updateSkin = (change: SkinChange) =>
  changesShown(
    wearersOfSkins(sql`id = ${id}`),
    build.update(skins).set(cellsIn(skins, change)).where(eq(skins.id, id)).returning(changed),
  );
const deleteSkin = changesShown(
  wearersOfSkins(sql`id = ${id}`),
  build.delete(skins).where(eq(skins.id, id)).returning(changed),
);
const some = sql`SELECT id FROM skins WHERE texture_hash = ${hash} ORDER BY id LIMIT ${rows}`;
const deleteSkins = changesShown(
  wearersOfSkins(sql`id IN (${some})`),
  build
    .delete(skins)
    .where(sql`${skins.id} IN (${some})`)
    .returning(changed),
);

function skinStore(db: Sender, touch: Touch): SkinWrites {
  const noteSkins = (rows: readonly Pick<ChangedRow, "uuid">[]): void => {
    for (const { uuid } of rows) touch.note(`skin:${uuid}`);
  };
  const noteGone = (rows: readonly ChangedRow[]): number => {
    noteSkins(rows);
    touch.count("skins", -rows.length);
    for (const row of rows) touch.found("skin", row.id, null);
    return rows.length;
  };

  return {
    insertSkin: async (skin) => {
      const row = first(await insertSkin(db, skin));
      if (row === null) throw new Error("An inserted skin has no number");
      noteSkins([skin]);
      touch.count("skins", 1);
      touch.found("skin", row.id, [skin.name]);
      return row.id;
    },
    updateSkin: async (id, change) => {
      const rows = await updateSkin(change)(db, touch.keep, { id });
      // No picture shows the name of a skin.
      if ("model" in change || "capeId" in change) noteSkins(rows);
      if (change.name !== undefined) touch.found("skin", id, [change.name]);
    },
    deleteSkin: async (id) => void noteGone(await deleteSkin(db, touch.keep, { id })),
    deleteSkinsShowing: async (hash, rows) => noteGone(await deleteSkins(db, touch.keep, { hash, rows })),
  };
}
