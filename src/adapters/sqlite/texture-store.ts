import { and, eq, inArray, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Appearance, TextureReads, TextureStore } from "../../domain/ports/texture-store.ts";
import type { Skin, Texture } from "../../domain/model/texture.ts";
import type { AccountId, SkinId, Uuid } from "../../kernel/ids.ts";
import { banReads, banStore } from "./ban-store.ts";
import { capeReads, capeStore } from "./cape-store.ts";
import type { Db } from "./open.ts";
import { players, capes, skins, textures } from "./schema/member.ts";
import { textureLists } from "./texture-lists.ts";
import { toSkin, toTexture } from "./texture-rows.ts";

/** One statement for everything that a player shows: delivery's only query. */
function appearanceQuery(db: Db) {
  const skinTextures = alias(textures, "skin_textures");
  const capeTextures = alias(textures, "cape_textures");
  const query = db
    .select({
      uuid: players.uuid,
      name: players.name,
      skin: { uuid: skins.uuid, model: skins.model },
      skinTexture: skinTextures,
      cape: { uuid: capes.uuid },
      capeTexture: capeTextures,
    })
    .from(players)
    .leftJoin(skins, eq(skins.id, players.selectedSkinId))
    .leftJoin(skinTextures, eq(skinTextures.hash, skins.textureHash))
    .leftJoin(capes, eq(capes.id, skins.capeId))
    .leftJoin(capeTextures, eq(capeTextures.hash, capes.textureHash))
    .$dynamic();
  return query;
}

type AppearanceRow = NonNullable<ReturnType<ReturnType<typeof appearanceQuery>["get"]>>;

// Rows hold only what these stores wrote, so their ids are what the types say.
function toAppearance({ uuid, name, skin, skinTexture, cape, capeTexture }: AppearanceRow): Appearance {
  const worn =
    cape === null || capeTexture === null
      ? null
      : { uuid: cape.uuid as Uuid, texture: toTexture(capeTexture) };
  const shown =
    skin === null || skinTexture === null
      ? null
      : { uuid: skin.uuid as Uuid, model: skin.model, texture: toTexture(skinTexture) };
  return { uuid: uuid as Uuid, name, skin: shown, cape: worn };
}

// Rows hold only what these stores wrote, so their ids are what the types say.
type WardrobeRow = Omit<Skin, "texture"> & Texture;

function toWardrobeSkin({ hash, digest, width, height, ...skin }: WardrobeRow): Skin {
  return { ...skin, texture: { hash, digest, width, height } };
}

export function textureReads(db: Db): TextureReads {
  const value = sql.placeholder("value");
  const appearance = {
    uuid: appearanceQuery(db).where(eq(players.uuid, value)).prepare(),
    name: appearanceQuery(db).where(eq(players.nameKey, value)).prepare(),
  };
  const skinRows = () =>
    db.select().from(skins).innerJoin(textures, eq(textures.hash, skins.textureHash)).$dynamic();
  const texture = db.select().from(textures).where(eq(textures.hash, value)).prepare();
  const skin = skinRows().where(eq(skins.uuid, value)).prepare();
  // Read for every profile, and so from the driver itself: with its rows made by drizzle it takes twice as long.
  const wardrobe = db.$client.query<WardrobeRow, [AccountId]>(`
    SELECT id, uuid, account_id AS accountId, name, model, cape_id AS capeId, skins.created_at AS createdAt,
           hash, digest, width, height
    FROM skins JOIN textures ON hash = texture_hash
    WHERE account_id = ? ORDER BY id`);
  // What begins with the digits lies between them and what comes after every hexadecimal digit.
  const unused = db.$client.query<Pick<Texture, "hash">, [string, string, number]>(`
    SELECT hash FROM textures WHERE hash >= ? AND hash < ?
      AND NOT EXISTS (SELECT 1 FROM skins WHERE texture_hash = hash)
      AND NOT EXISTS (SELECT 1 FROM capes WHERE texture_hash = hash)
    LIMIT ?`);

  return {
    ...textureLists(db),
    ...capeReads(db),
    ...banReads(db),
    findAppearance: async ({ by, value }) => {
      const row = appearance[by].get({ value });
      return row === undefined ? null : toAppearance(row);
    },
    findTexture: async (hash) => {
      const row = texture.get({ value: hash });
      return row === undefined ? null : toTexture(row);
    },
    countUses: async (hash) => ({
      skins: await db.$count(skins, eq(skins.textureHash, hash)),
      capes: await db.$count(capes, eq(capes.textureHash, hash)),
    }),
    listUnusedTextures: async (digits, rows) =>
      unused.all(digits, `${digits}g`, rows).map(({ hash }) => hash),
    findSkin: async (uuid) => {
      const row = skin.get({ value: uuid });
      return row === undefined ? null : toSkin(row);
    },
    listSkins: async (account) => wardrobe.all(account).map(toWardrobeSkin),
    countSkins: async (account) => db.$count(skins, eq(skins.accountId, account)),
  };
}

/** `touch` is called by every write that may change what delivery answers. */
export function textureStore(db: Db, touch: () => void): TextureStore {
  const usedBy = (table: typeof skins | typeof capes) =>
    db
      .select({ one: sql`1` })
      .from(table)
      .where(eq(table.textureHash, textures.hash));

  return {
    ...textureReads(db),
    ...capeStore(db, touch),
    ...banStore(db),
    insertTexture: async (texture) => {
      db.insert(textures).values(texture).run();
    },
    deleteTextureIfUnused: async (hash) => {
      touch();
      const unused = and(eq(textures.hash, hash), notExists(usedBy(skins)), notExists(usedBy(capes)));
      db.delete(textures).where(unused).run();
      return (await db.$count(textures, eq(textures.hash, hash))) === 0;
    },
    insertSkin: async (skin) => db.insert(skins).values(skin).returning({ id: skins.id }).get().id as SkinId,
    updateSkin: async (id, change) => {
      touch();
      db.update(skins).set(change).where(eq(skins.id, id)).run();
    },
    deleteSkin: async (id) => {
      touch();
      db.delete(skins).where(eq(skins.id, id)).run();
    },
    deleteSkinsShowing: async (hash, rows) => {
      touch();
      const some = db.select({ id: skins.id }).from(skins).where(eq(skins.textureHash, hash)).limit(rows);
      return db.delete(skins).where(inArray(skins.id, some)).returning({ id: skins.id }).all().length;
    },
  };
}
