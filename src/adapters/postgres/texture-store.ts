import { and, asc, desc, eq, getTableColumns, gt, gte, lt, lte, notExists, sql } from "drizzle-orm";
import type { TextureReads, TextureStore } from "../../domain/ports/texture-store.ts";
import type { SkinId, Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { toOwnedSkin, toSkin, toTexture } from "../sql/row-values.ts";
import { appearanceFinder } from "./appearance.ts";
import { banReads, banStore } from "./ban-store.ts";
import { capeReads, capeStore } from "./cape-store.ts";
import { ownedSkinColumns, skinColumns, textureColumns } from "../sql/rows.ts";
import { accounts, capes, droppedFiles, players, skins, textures } from "../sql/schema/member.ts";
import { listing } from "./listing.ts";
import { idFinder, pagesOf } from "./pages.ts";
import { searchText } from "./search.ts";
import { addsSearchText, removesSearchTexts } from "./searched-rows.ts";
import { changesShown, wearersOfSkins } from "./shown.ts";
import { build, command, first, setsOf, statement, valuesOf } from "../sql/statement.ts";
import type { Sender } from "../sql/sender.ts";
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
    .where(sql`${textures.hash} = ANY(${sql.placeholder("hashes")})`),
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

export function textureReads(db: Sender): TextureReads {
  return {
    ...ownedSkinReads(db),
    ...capeReads(db),
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
const listOthers = statement(
  ownedSkins()
    .where(sql`${skins.id} IN (SELECT id FROM (${others}) AS others ORDER BY id DESC LIMIT ${rows})`)
    .orderBy(desc(skins.id)),
  ownedSkinColumns,
);
const countOthers = statement(sql`SELECT count(*) FROM (${others}) AS others`, { total: Number });

function ownedSkinReads(db: Sender): OwnedSkinReads {
  const pages = pagesOf(db, "skins", idFinder(db, "skins"));

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

const insertTexture = command(build.insert(textures).values(valuesOf(textureRow)));
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
  SELECT file, ${sql.placeholder("at")}::bigint FROM unnest(${sql.placeholder("files")}::text[]) AS files (file)
  ON CONFLICT DO NOTHING`);
const deleteDropped = command(
  build.delete(droppedFiles).where(sql`${droppedFiles.file} = ANY(${sql.placeholder("files")}::text[])`),
);

/** `touch` gets every subject of delivery that a write changes. */
export function textureStore(db: Sender, touch: Touch): TextureStore {
  return {
    ...textureReads(db),
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
    insertDroppedFiles: (files, at) => insertDropped(db, { files, at }),
    deleteDroppedFiles: (files) => deleteDropped(db, { files }),
  };
}

type SkinWrites = Pick<TextureStore, "insertSkin" | "updateSkin" | "deleteSkin" | "deleteSkinsShowing">;

const id = sql.placeholder("id");
const { id: _, ...newSkin } = getTableColumns(skins);
const insertSkin = statement(
  sql`
    WITH added AS (${build.insert(skins).values(valuesOf(newSkin)).returning({ id: skins.id }).getSQL()}),
    texts AS (${addsSearchText("skin", sql`added`)})
    SELECT id FROM added`,
  { id: skins.id },
);
const changed = { id: skins.id, uuid: skins.uuid };
const withoutText = { texts: removesSearchTexts("skin", sql`changed`) };
const deleteSkin = changesShown(
  wearersOfSkins(sql`id = ${id}`),
  build.delete(skins).where(eq(skins.id, id)).returning(changed),
  withoutText,
);
const some = sql`SELECT id FROM skins WHERE texture_hash = ${hash} ORDER BY id LIMIT ${rows}`;
const deleteSkins = changesShown(
  wearersOfSkins(sql`id IN (${some})`),
  build
    .delete(skins)
    .where(sql`${skins.id} IN (${some})`)
    .returning(changed),
  withoutText,
);
const renameText = (skin: SkinId, name: string) =>
  sql`UPDATE search_texts SET text = ${searchText([name])}::text WHERE kind = 'skin' AND id = ${skin}`;

function skinStore(db: Sender, touch: Touch): SkinWrites {
  const noteSkins = (uuids: readonly Uuid[]): void => {
    for (const uuid of uuids) touch.note(`skin:${uuid}`);
  };
  const noteGone = (uuids: readonly Uuid[]): number => {
    noteSkins(uuids);
    touch.count("skins", -uuids.length);
    return uuids.length;
  };

  return {
    insertSkin: async (skin) => {
      touch.note(`skin:${skin.uuid}`);
      touch.count("skins", 1);
      const row = first(await insertSkin(db, { ...skin, text: searchText([skin.name]) }));
      if (row === null) throw new Error("An inserted skin has no number");
      return row.id;
    },
    updateSkin: async (skin, change) => {
      const { name } = change;
      const update = changesShown(
        wearersOfSkins(sql`id = ${skin}`),
        build.update(skins).set(change).where(eq(skins.id, skin)).returning(changed),
        name === undefined ? {} : { texts: renameText(skin, name) },
      );
      const uuids = await update(db, touch.keep);
      // No picture shows the name of a skin.
      if ("model" in change || "capeId" in change) noteSkins(uuids);
    },
    deleteSkin: async (id) => {
      noteGone(await deleteSkin(db, touch.keep, { id }));
    },
    deleteSkinsShowing: async (hash, rows) => noteGone(await deleteSkins(db, touch.keep, { hash, rows })),
  };
}
