import { and, asc, desc, eq, gt, inArray, lte, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { TextureReads, TextureStore } from "../../domain/ports/texture-store.ts";
import type { TextureHash, Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import {
  appearanceNames,
  pick,
  toAppearance,
  toOwnedSkin,
  toSkin,
  toTexture,
  type AppearanceRow,
  type SkinRow,
} from "../sql/row-values.ts";
import { banReads, banStore } from "./ban-store.ts";
import { capeReads, capeStore } from "./cape-store.ts";
import type { NoteChange } from "./change-feed.ts";
import type { Db } from "./open.ts";
import { namedByUuid, shownCape } from "./player-store.ts";
import { ownedSkinColumns, skinColumns, textOf, textureColumns } from "./rows.ts";
import { accounts, capes, droppedFiles, players, skins, textures } from "./schema.ts";
import { idFinder, pagesOf } from "./search.ts";

export function textureReads(db: Db): TextureReads {
  const texture = db
    .select(textureColumns)
    .from(textures)
    .where(eq(textures.hash, sql.placeholder("hash")))
    .prepare();
  const skinRows = (where: string) =>
    db.$client.query<SkinRow, [string | number]>(
      `SELECT ${textOf(skinColumns)} FROM skins JOIN textures ON hash = texture_hash WHERE ${where}`,
    );
  const skin = skinRows("uuid = ?");
  const wardrobe = skinRows("account_id = ? ORDER BY id");
  const worn = db.$client.query<{ readonly worn: 0 | 1 }, [TextureHash]>(`
    SELECT EXISTS (
      SELECT 1 FROM skins JOIN players ON players.selected_skin_id = skins.id WHERE skins.texture_hash = ?) AS worn`);
  // What begins with the digits lies between them and what comes after every hexadecimal digit.
  const unused = db.$client.query<{ readonly hash: TextureHash }, [string, string, number]>(`
    SELECT hash FROM textures WHERE hash >= ? AND hash < ?
      AND NOT EXISTS (SELECT 1 FROM skins WHERE texture_hash = hash)
      AND NOT EXISTS (SELECT 1 FROM capes WHERE texture_hash = hash)
      AND NOT EXISTS (SELECT 1 FROM capes WHERE wings_hash = hash)
    LIMIT ?`);

  return {
    ...ownedSkinReads(db),
    ...capeReads(db),
    ...banReads(db),
    ...fileLists(db),
    findAppearance: appearanceFinder(db),
    findTexture: async (hash) => {
      const row = texture.get({ hash });
      return row === undefined ? null : toTexture(row);
    },
    countUses: async (hash) => ({
      skins: await db.$count(skins, eq(skins.textureHash, hash)),
      capes: await db.$count(capes, or(eq(capes.textureHash, hash), eq(capes.wingsHash, hash))),
    }),
    isWorn: async (hash) => worn.get(hash)?.worn === 1,
    listUnusedTextures: async (digits, rows) =>
      unused.all(digits, `${digits}g`, rows).map(({ hash }) => hash),
    findSkin: async (uuid) => {
      const row = skin.get(uuid);
      return row === null ? null : toSkin(row);
    },
    listSkins: async (account) => wardrobe.all(account).map(toSkin),
    countSkins: async (account) => db.$count(skins, eq(skins.accountId, account)),
  };
}

type OwnedSkinReads = Pick<
  TextureReads,
  "findOwnedSkin" | "listSkinsOf" | "listAllSkins" | "countAllSkins" | "listOthersShowing"
>;

function ownedSkinReads(db: Db): OwnedSkinReads {
  const rows = () =>
    db
      .select(ownedSkinColumns)
      .from(skins)
      .innerJoin(textures, eq(textures.hash, skins.textureHash))
      .innerJoin(accounts, eq(accounts.id, skins.accountId))
      .leftJoin(players, eq(players.id, accounts.mainPlayerId))
      .leftJoin(capes, eq(capes.id, skins.capeId))
      .$dynamic();
  const value = sql.placeholder("value");
  const one = rows().where(eq(skins.uuid, value)).prepare();
  const wardrobe = rows().where(eq(skins.accountId, value)).orderBy(asc(skins.id)).prepare();
  const pages = pagesOf(db, ["skins", "skins_search"], idFinder(db, "skins"));
  // The index of a bitmap has its skins in the order of their ids.
  const isOther = sql`${skins.textureHash} = ${sql.placeholder("hash")} AND +${skins.accountId} <> ${sql.placeholder("account")}`;
  const listOthers = rows().where(isOther).orderBy(desc(skins.id)).limit(sql.placeholder("rows")).prepare();
  const countOthers = db
    .select({ total: sql<number>`count(*)` })
    .from(sql`(SELECT 1 FROM skins WHERE ${isOther} LIMIT ${limits.sameTextureMax})`)
    .prepare();

  return {
    findOwnedSkin: async (uuid) => {
      const row = one.get({ value: uuid });
      return row === undefined ? null : toOwnedSkin(row);
    },
    listSkinsOf: async (account) => wardrobe.all({ value: account }).map(toOwnedSkin),
    listAllSkins: async (page) =>
      rows().where(pages.condition(page)).orderBy(pages.order(page)).limit(page.rows).all().map(toOwnedSkin),
    countAllSkins: async (search, most) => pages.count(search, most),
    listOthersShowing: async ({ accountId: account, texture: { hash } }, rows) => ({
      rows: listOthers.all({ account, hash, rows }).map(toOwnedSkin),
      total: countOthers.get({ account, hash })?.total ?? 0,
    }),
  };
}

const appearanceColumns = {
  ...pick(players, appearanceNames.players),
  ...pick(skins, appearanceNames.skins),
  ...pick(alias(textures, "skin_textures"), appearanceNames.skinTextures),
  ...pick(capes, appearanceNames.capes),
  ...pick(alias(textures, "cape_textures"), appearanceNames.capeTextures),
  ...pick(alias(textures, "wings_textures"), appearanceNames.wingsTextures),
};

/** Delivery's only query, hence raw: one statement for everything that a player shows. */
function appearanceFinder(db: Db): TextureReads["findAppearance"] {
  const finder = (where: string) =>
    db.$client.query<AppearanceRow, [string]>(`
      SELECT ${textOf(appearanceColumns)} FROM players
      LEFT JOIN skins ON skins.id = selected_skin_id
      LEFT JOIN textures AS skin_textures ON skin_textures.hash = skins.texture_hash
      LEFT JOIN capes ON capes.id = ${shownCape}
      LEFT JOIN textures AS cape_textures ON cape_textures.hash = capes.texture_hash
      LEFT JOIN textures AS wings_textures ON wings_textures.hash = capes.wings_hash
      WHERE players.${where}`);
  const find = {
    uuid: finder(`id = ${namedByUuid.player}`),
    name: finder("name_key = ?1"),
    offlineUuid: finder("offline_uuid = ?1"),
  };

  return async ({ by, value }) => {
    const row = find[by].get(value);
    return row === null ? null : toAppearance(row);
  };
}

/** `note` is called for every subject of delivery that a write changes. */
export function textureStore(db: Db, note: NoteChange): TextureStore {
  const noteSkins = (changed: readonly { readonly uuid: Uuid }[]): number => {
    for (const { uuid } of changed) note(`skin:${uuid}`);
    return changed.length;
  };
  const { uuid } = skins;
  const namedBy = (column: typeof skins.textureHash | typeof capes.textureHash | typeof capes.wingsHash) =>
    db
      .select({ one: sql`1` })
      .from(column.table)
      .where(eq(column, textures.hash));
  const isUnused = [skins.textureHash, capes.textureHash, capes.wingsHash].map((column) =>
    notExists(namedBy(column)),
  );

  return {
    ...textureReads(db),
    ...capeStore(db, note),
    ...banStore(db),
    ...fileNames(db),
    insertTexture: async (texture) => {
      db.insert(textures).values(texture).run();
    },
    deleteTextureIfUnused: async (hash) => {
      const row = db
        .delete(textures)
        .where(and(eq(textures.hash, hash), ...isUnused))
        .returning({ file: textures.file })
        .get();
      if (row === undefined) return null;
      note(`texture:${hash}`);
      return row.file;
    },
    insertSkin: async (skin) => {
      note(`skin:${skin.uuid}`);
      return db.insert(skins).values(skin).returning({ id: skins.id }).get().id;
    },
    updateSkin: async (id, change) => {
      const changed = db.update(skins).set(change).where(eq(skins.id, id)).returning({ uuid }).all();
      // No picture shows the name of a skin.
      if ("model" in change || "capeId" in change) noteSkins(changed);
    },
    deleteSkin: async (id) => {
      noteSkins(db.delete(skins).where(eq(skins.id, id)).returning({ uuid }).all());
    },
    deleteSkinsShowing: async (hash, rows) => {
      const some = db.select({ id: skins.id }).from(skins).where(eq(skins.textureHash, hash)).limit(rows);
      return noteSkins(db.delete(skins).where(inArray(skins.id, some)).returning({ uuid }).all());
    },
  };
}

function fileLists(db: Db): Pick<TextureReads, "listTextures" | "listTextureFiles" | "listDroppedFiles"> {
  return {
    listTextures: async (after, rows) =>
      db
        .select(textureColumns)
        .from(textures)
        .where(after === null ? undefined : gt(textures.hash, after))
        .orderBy(asc(textures.hash))
        .limit(rows)
        .all()
        .map(toTexture),
    listTextureFiles: async (hashes) =>
      db
        .select({ file: textures.file })
        .from(textures)
        .where(inArray(textures.hash, [...hashes]))
        .all()
        .map(({ file }) => file),
    listDroppedFiles: async (until, rows) =>
      db
        .select({ file: droppedFiles.file })
        .from(droppedFiles)
        .where(lte(droppedFiles.at, until))
        .orderBy(asc(droppedFiles.at))
        .limit(rows)
        .all()
        .map(({ file }) => file),
  };
}

type FileNames = Pick<TextureStore, "setTextureFile" | "insertDroppedFiles" | "deleteDroppedFiles">;

function fileNames(db: Db): FileNames {
  return {
    setTextureFile: async (hash, file) => {
      db.update(textures).set({ file }).where(eq(textures.hash, hash)).run();
    },
    insertDroppedFiles: async (files, at) => {
      if (files.length === 0) return;
      const rows = files.map((file) => ({ file, at }));
      db.insert(droppedFiles).values(rows).onConflictDoNothing().run();
    },
    deleteDroppedFiles: async (files) => {
      db.delete(droppedFiles)
        .where(inArray(droppedFiles.file, [...files]))
        .run();
    },
  };
}
