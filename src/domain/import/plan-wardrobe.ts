import type { Decided, PlannedAccount, PlannedSkin } from "../model/import-plan.ts";
import type { BookAccount, BookGrant, BookPlayer, BookSkin, BookTexture } from "../ports/plan-book.ts";
import { cameBefore } from "./match-records.ts";
import { textureName } from "./plan-textures.ts";
import type { Planning } from "./planning.ts";

/** What belongs to the accounts of a page, by their numbers. */
export type Things = {
  readonly players: ReadonlyMap<number, readonly BookPlayer[]>;
  readonly skins: ReadonlyMap<number, readonly BookSkin[]>;
  readonly grants: ReadonlyMap<number, readonly BookGrant[]>;
  readonly aliases: ReadonlyMap<number, readonly string[]>;
  /** Keys of accounts that join an account. */
  readonly joined: ReadonlyMap<number, readonly string[]>;
  /** By the number of the texture. */
  readonly textures: ReadonlyMap<number, BookTexture>;
  /** Keys of the capes that textures become, by the textures' keys. */
  readonly capes: ReadonlyMap<string, string>;
  /** The names that players that changed there have from now on, by the players' numbers. */
  readonly newNames: ReadonlyMap<number, string>;
};

/** Reads what belongs to the accounts of a page. */
export function gatherThings({ book }: Planning, page: readonly BookAccount[]): Omit<Things, "newNames"> {
  const [first, last] = [page.at(0)?.n ?? 0, page.at(-1)?.n ?? 0];
  const skins = book.skinsOf(first, last);
  const grants = book.grantsOf(first, last);
  const textures = book.bookTextures([...new Set([...skins, ...grants].map(({ texture }) => texture))]);
  const joined = Map.groupBy(book.joinedOf(first, last), ({ joins }) => joins);
  const aliases = Map.groupBy(book.aliasesOf(first, last), ({ account }) => account);
  return {
    players: Map.groupBy(book.playersOf(first, last), ({ account }) => account ?? 0),
    skins: Map.groupBy(skins, ({ account }) => account),
    grants: Map.groupBy(grants, ({ account }) => account),
    joined: new Map([...joined].map(([account, rows]) => [account, rows.map(({ key }) => key)])),
    aliases: new Map([...aliases].map(([account, rows]) => [account, rows.map(({ name }) => name)])),
    textures: new Map(textures.map((texture) => [texture.n, texture])),
    capes: new Map(
      textures.flatMap(({ source, cape }) => (cape === null ? [] : [[source.key, cape] as const])),
    ),
  };
}

type Wardrobe = Pick<PlannedAccount, "skins" | "grants" | "ownGrants"> & {
  /** Keys of capes that it may wear, by the keys of their textures. */
  readonly capes: ReadonlyMap<string, string>;
};

/** Decides which skins and capes an account gets. */
export function planWardrobe(planning: Planning, account: BookAccount, things: Things): Wardrobe {
  const all = things.skins.get(account.n) ?? [];
  const kept = keptOf(planning, all);
  const skins = all.flatMap((skin, index) =>
    planSkin(planning, skin, { things, index, isKept: kept.has(skin) }),
  );
  return { skins, ...planGrants(planning, account, things) };
}

/** Of a wardrobe over its limit, if only its newest skins come: the worn ones, then the newest. */
function keptOf({ rules }: Planning, skins: readonly BookSkin[]): ReadonlySet<BookSkin> {
  const max = rules.settings.wardrobeMax;
  if (!rules.wardrobeNewest || skins.length <= max) return new Set(skins);
  const order = skins.toSorted(
    (one, other) => Number(other.isWorn) - Number(one.isWorn) || (other.addedAt ?? 0) - (one.addedAt ?? 0),
  );
  return new Set(order.slice(0, max));
}

type Context = { readonly things: Things; readonly index: number; readonly isKept: boolean };

function planSkin(planning: Planning, skin: BookSkin, context: Context): readonly PlannedSkin[] {
  const texture = context.things.textures.get(skin.texture) ?? null;
  const name =
    textureName(skin.name) ?? textureName(texture?.source.name ?? null) ?? `Skin ${context.index + 1}`;
  const [decision, reason] = skinDecision(skin, texture, context.isKept);
  planning.book.decide({ kind: "skin", decision, source: skin.key, from: name, to: null, reason });
  if (decision === "match")
    return [{ key: skin.key, id: skin.id, texture: null, name, model: "classic", createdAt: planning.now }];
  return decision === "create" && texture !== null ? newSkin(planning, skin, texture, name) : [];
}

function skinDecision(
  { state }: BookSkin,
  texture: BookTexture | null,
  isKept: boolean,
): readonly [Decided["decision"], string] {
  if (state === "here") return ["match", ""];
  if (state === "gone") return ["keep", "it was deleted here"];
  if (texture === null || texture.bitmap === null) return ["skip", texture?.reason || "its file is missing"];
  return isKept ? ["create", ""] : ["skip", "the wardrobe is over WARDROBE_MAX, as --wardrobe-newest says"];
}

function newSkin(
  { now }: Planning,
  skin: BookSkin,
  { bitmap, source }: BookTexture,
  name: string,
): readonly PlannedSkin[] {
  if (bitmap === null) return [];
  const model = bitmap.isLegacy ? "classic" : (skin.model ?? bitmap.model ?? "classic");
  const createdAt = Math.min(skin.addedAt ?? source.createdAt ?? now, now);
  const { ownSkin } = source;
  return [
    {
      key: skin.key,
      id: null,
      texture: bitmap.hash,
      name,
      model,
      createdAt,
      ...(ownSkin && { own: ownSkin }),
    },
  ];
}

function planGrants(planning: Planning, account: BookAccount, things: Things): Omit<Wardrobe, "skins"> {
  const capes = new Map<string, string>();
  const grants = new Set<string>();
  const own = new Map<string, NonNullable<PlannedAccount["ownGrants"]>[string]>();
  const isGivenAgain = getsCapesAgain(planning, account, things);
  for (const grant of things.grants.get(account.n) ?? []) {
    const texture = things.textures.get(grant.texture) ?? null;
    const cape = texture === null || texture.state === "gone" ? null : texture.cape;
    const isNew = isGivenAgain || texture?.state === "new";
    decideGrant(planning, { account, grant, texture, isNew, comes: cape !== null });
    if (texture === null || cape === null) continue;
    capes.set(texture.source.key, cape);
    if (!isNew) continue;
    grants.add(cape);
    if (grant.holding?.ownGrant !== undefined) own.set(cape, grant.holding.ownGrant);
  }
  return { capes, grants: [...grants], ...(own.size > 0 && { ownGrants: Object.fromEntries(own) }) };
}

/** Whether a cape was taken away here since is not known, so it is given to people who are here once. */
function getsCapesAgain({ source }: Planning, { n, state }: BookAccount, things: Things): boolean {
  const players = things.players.get(n) ?? [];
  const isFound = source.facts.isAboutOthers && cameBefore(players).size === 0;
  return state === "new" || isFound || players.some((one) => things.newNames.has(one.n));
}

type GivenCape = {
  readonly account: BookAccount;
  readonly grant: BookGrant;
  readonly texture: BookTexture | null;
  readonly isNew: boolean;
  readonly comes: boolean;
};

function decideGrant({ book }: Planning, { account, grant, texture, isNew, comes }: GivenCape): void {
  const missing = texture?.state === "gone" ? "the cape was deleted here" : "the cape does not come";
  book.decide({
    kind: "grant",
    decision: comes ? (isNew ? "create" : "match") : "skip",
    source: grant.holding?.key ?? `${account.source.key}/${texture?.source.key ?? grant.texture}`,
    from: texture?.source.name ?? null,
    to: null,
    reason: comes ? "" : missing,
  });
}
