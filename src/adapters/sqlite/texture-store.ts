import { and, asc, eq, gt, isNull, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Appearance, TextureReads, TextureStore } from "../../domain/textures/store.ts";
import type { Cape, Skin, Texture } from "../../domain/textures/texture.ts";
import type { AccountId, CapeId, SkinId, TextureHash, Uuid } from "../../kernel/ids.ts";
import type { Db } from "./open.ts";
import { players } from "./schema/player.ts";
import { capeGrants, capes, skins, textures } from "./schema/texture.ts";

type TextureRow = typeof textures.$inferSelect;
type SkinRow = { skins: typeof skins.$inferSelect; textures: TextureRow };
type CapeRow = { capes: typeof capes.$inferSelect; textures: TextureRow };

// Rows hold only what these stores wrote, so their ids are what the types say.
function toTexture({ hash, digest, width, height }: TextureRow): Texture {
  return { hash: hash as TextureHash, digest, width, height };
}

function toSkin({ skins: row, textures: texture }: SkinRow): Skin {
  return {
    id: row.id as SkinId,
    uuid: row.uuid as Uuid,
    accountId: row.accountId as AccountId,
    name: row.name,
    model: row.model,
    capeId: row.capeId as CapeId | null,
    texture: toTexture(texture),
    createdAt: row.createdAt,
  };
}

function toCape({ capes: row, textures: texture }: CapeRow): Cape {
  return {
    id: row.id as CapeId,
    uuid: row.uuid as Uuid,
    name: row.name,
    texture: toTexture(texture),
    uploadedBy: row.uploadedBy,
    createdAt: row.createdAt,
  };
}

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

export function textureReads(db: Db): TextureReads {
  const value = sql.placeholder("value");
  const appearance = {
    uuid: appearanceQuery(db).where(eq(players.uuid, value)).prepare(),
    name: appearanceQuery(db).where(eq(players.nameKey, value)).prepare(),
  };
  const skinRows = () =>
    db.select().from(skins).innerJoin(textures, eq(textures.hash, skins.textureHash)).$dynamic();
  const capeRows = () =>
    db.select().from(capes).innerJoin(textures, eq(textures.hash, capes.textureHash)).$dynamic();
  const texture = db.select().from(textures).where(eq(textures.hash, value)).prepare();
  const skin = skinRows().where(eq(skins.uuid, value)).prepare();
  const wardrobe = skinRows().where(eq(skins.accountId, value)).orderBy(asc(skins.id)).prepare();
  const cape = {
    uuid: capeRows().where(eq(capes.uuid, value)).prepare(),
    id: capeRows().where(eq(capes.id, value)).prepare(),
  };
  const granted = db
    .select({ capes, textures, grantExpiresAt: capeGrants.expiresAt })
    .from(capeGrants)
    .innerJoin(capes, eq(capes.id, capeGrants.capeId))
    .innerJoin(textures, eq(textures.hash, capes.textureHash))
    .where(
      and(
        eq(capeGrants.accountId, value),
        or(isNull(capeGrants.expiresAt), gt(capeGrants.expiresAt, sql.placeholder("now"))),
      ),
    )
    .orderBy(asc(capes.id))
    .prepare();

  return {
    findAppearance: async ({ by, value }) => {
      const row = appearance[by].get({ value });
      return row === undefined ? null : toAppearance(row);
    },
    findTexture: async (hash) => {
      const row = texture.get({ value: hash });
      return row === undefined ? null : toTexture(row);
    },
    findSkin: async (uuid) => {
      const row = skin.get({ value: uuid });
      return row === undefined ? null : toSkin(row);
    },
    findCape: async ({ by, value }) => {
      const row = cape[by].get({ value });
      return row === undefined ? null : toCape(row);
    },
    listSkins: async (account) => wardrobe.all({ value: account }).map(toSkin),
    countSkins: async (account) => db.$count(skins, eq(skins.accountId, account)),
    listGrantedCapes: async (account, now) =>
      granted
        .all({ value: account, now })
        .map((row) => ({ ...toCape(row), grantExpiresAt: row.grantExpiresAt })),
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
    insertCape: async (cape) => db.insert(capes).values(cape).returning({ id: capes.id }).get().id as CapeId,
    grantCape: async (accountId, capeId, grantedAt) => {
      db.insert(capeGrants).values({ accountId, capeId, grantedAt }).onConflictDoNothing().run();
    },
  };
}
