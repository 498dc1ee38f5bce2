import type { BookGrant, BookSkin, BookTexture, PlanBook } from "../../../domain/ports/plan-book.ts";
import { listed, setColumns, type Statements } from "./tables.ts";

type Looks = Pick<
  PlanBook,
  | "addTextures"
  | "addSkin"
  | "addGrant"
  | "bookTextures"
  | "neededTextures"
  | "capeTextures"
  | "skins"
  | "skinsOf"
  | "grants"
  | "grantsOf"
  | "textureNumbers"
  | "capeDoubles"
  | "setTexture"
  | "setSkin"
>;

type TextureRow = Omit<BookTexture, "source" | "bitmap"> & {
  readonly source: string;
  readonly bitmap: string | null;
};
type SkinRow = Omit<BookSkin, "isWorn"> & { readonly isWorn: number };
type GrantRow = Omit<BookGrant, "holding"> & { readonly holding: string | null };

const textureColumns = "n, state, reason, bitmap, cape, source";
const skinColumns =
  "n, account, key, texture, state, reason, id, name, model, added_at AS addedAt, is_worn AS isWorn";
const grantColumns = "n, account, texture, holding";

/** Textures, wardrobes and permissions of a plan. */
export function looksOf(statements: Statements): Looks {
  const { all } = statements;
  const skinsWhere = (where: string, ...values: number[]) =>
    all<SkinRow>(`SELECT ${skinColumns} FROM plan.skins WHERE ${where}`, ...values).map(toSkin);
  const grantsWhere = (where: string, ...values: number[]) =>
    all<GrantRow>(`SELECT ${grantColumns} FROM plan.grants WHERE ${where}`, ...values).map(toGrant);
  const texturesWhere = (where: string, ...values: (string | number)[]) =>
    all<TextureRow>(`SELECT ${textureColumns} FROM plan.textures WHERE ${where}`, ...values).map(toTexture);
  return {
    ...addersOf(statements),
    bookTextures: (numbers) => texturesWhere("n IN (SELECT value FROM json_each(?))", listed(numbers)),
    neededTextures: ({ after, most }) =>
      texturesWhere(
        `n > ? AND state = 'new' AND (
           kind = 'skin' AND EXISTS (SELECT 1 FROM plan.skins WHERE texture = textures.n AND state = 'new')
           OR kind = 'cape' AND (is_own OR EXISTS (SELECT 1 FROM plan.grants WHERE texture = textures.n))
         ) ORDER BY n LIMIT ?`,
        after,
        most,
      ),
    capeTextures: ({ after, most }) =>
      texturesWhere("n > ? AND kind = 'cape' ORDER BY n LIMIT ?", after, most),
    skins: ({ after, most }) => skinsWhere("n > ? ORDER BY n LIMIT ?", after, most),
    skinsOf: (first, last) => skinsWhere("account BETWEEN ? AND ? ORDER BY account, n", first, last),
    grants: ({ after, most }) => grantsWhere("n > ? ORDER BY n LIMIT ?", after, most),
    grantsOf: (first, last) => grantsWhere("account BETWEEN ? AND ? ORDER BY account, n", first, last),
    textureNumbers: (keys) =>
      new Map(
        all<{ key: string; n: number; kind: "skin" | "cape" }>(
          "SELECT key, n, kind FROM plan.textures WHERE key IN (SELECT value FROM json_each(?))",
          listed(keys),
        ).map(({ key, ...found }) => [key, found]),
      ),
    capeDoubles: (key) =>
      all<{ key: string }>("SELECT key FROM plan.textures WHERE cape = ?1 AND key <> ?1 ORDER BY n", key).map(
        (row) => row.key,
      ),
    setTexture: (n, { bitmap, ...change }) =>
      setColumns(statements, "textures", n, {
        ...change,
        ...(bitmap !== undefined && { bitmap: bitmap && JSON.stringify(bitmap) }),
      }),
    setSkin: (n, change) => setColumns(statements, "skins", n, change),
  };
}

function addersOf({ run }: Statements): Pick<Looks, "addTextures" | "addSkin" | "addGrant"> {
  return {
    addTextures: (rows) =>
      rows.filter(
        (row) =>
          run(
            "INSERT OR IGNORE INTO plan.textures (key, kind, is_own, source) VALUES (?, ?, ?, ?)",
            row.key,
            row.kind,
            row.ownCape === undefined ? 0 : 1,
            JSON.stringify(row),
          ).changes === 0,
      ),
    addSkin: ({ account, key, texture, name, model, addedAt, isWorn }) => {
      run(
        `INSERT INTO plan.skins (account, key, texture, name, model, added_at, is_worn) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET
           is_worn = max(is_worn, excluded.is_worn), name = coalesce(name, excluded.name),
           added_at = coalesce(added_at, excluded.added_at)`,
        account,
        key,
        texture,
        name,
        model,
        addedAt,
        isWorn ? 1 : 0,
      );
    },
    addGrant: ({ account, texture, holding }) => {
      run(
        `INSERT INTO plan.grants (account, texture, holding) VALUES (?, ?, ?)
         ON CONFLICT (account, texture) DO UPDATE SET holding = coalesce(holding, excluded.holding)`,
        account,
        texture,
        holding && JSON.stringify(holding),
      );
    },
  };
}

function toTexture({ source, bitmap, ...row }: TextureRow): BookTexture {
  return { ...row, source: JSON.parse(source), bitmap: bitmap === null ? null : JSON.parse(bitmap) };
}

function toSkin({ isWorn, ...row }: SkinRow): BookSkin {
  return { ...row, isWorn: isWorn === 1 };
}

function toGrant({ holding, ...row }: GrantRow): BookGrant {
  return { ...row, holding: holding === null ? null : JSON.parse(holding) };
}
