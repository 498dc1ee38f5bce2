import { limits } from "../../kernel/limits.ts";
import type { BookAccount, BookPlayer, PlanBook } from "../ports/plan-book.ts";
import type { SkinModel } from "../model/texture.ts";
import type { SourceHolding } from "../ports/import-source.ts";
import { isChangedPlayer } from "./plan-update.ts";
import { pagesOf, told, type Planning } from "./planning.ts";
import { pagesFrom } from "./read-records.ts";

/** Finds out who has which textures: what players wear comes first, then what stands in wardrobes. */
export async function planLooks(planning: Planning): Promise<void> {
  const { book, source } = planning;
  for await (const page of told(planning, "looking at players", pagesOf(book.players)))
    lookAtPlayers(planning, page);
  for await (const rows of pagesFrom(book, source.holdings())) lookAtHoldings(planning, rows);
}

/**
 * The key of an account's own copy of a texture, by the account that has it there. Arms that the player says
 * and not the texture make another copy.
 */
export function skinKey(account: string, texture: string, model: SkinModel | null): string {
  return model === null ? `${account}/${texture}` : `${account}/${texture}/${model}`;
}

function lookAtPlayers(planning: Planning, page: readonly BookPlayer[]): void {
  const { book, rules } = planning;
  const worn = page.filter((player) => hasLook(player) && mayDress(planning, player));
  const numbers = book.textureNumbers(
    worn.flatMap(({ source }) => [source.skin ?? [], source.cape ?? []].flat()),
  );
  for (const player of worn) {
    const account = player.account === null ? null : book.account(player.account);
    if (account === null || !isComing(account)) continue;
    const { skin, cape, skinModel } = player.source;
    const found = skin === null ? undefined : numbers.get(skin);
    if (found?.kind === "skin" && skin !== null) {
      const key = skinKey(player.source.account ?? account.source.key, skin, skinModel);
      const own = { account: account.n, key, texture: found.n };
      addSkin(planning, { ...own, name: null, model: skinModel, addedAt: null, isWorn: true });
    } else if (skin !== null) {
      refuse(planning, { kind: "skin", source: player.source.key, from: skin });
    }
    if (cape === null || rules.capes === "skip") continue;
    const granted = numbers.get(cape);
    if (granted?.kind === "cape") book.addGrant({ account: account.n, texture: granted.n, holding: null });
    else refuse(planning, { kind: "cape", source: player.source.key, from: cape });
  }
}

function hasLook({ source }: BookPlayer): boolean {
  return source.skin !== null || source.cape !== null;
}

/** Players that came before wear what they wear here, unless the last changes there shall come. */
function mayDress({ rules, source }: Planning, player: BookPlayer): boolean {
  if (player.state !== "here") return player.state === "new";
  return source.facts.isAboutOthers || (rules.updates && isChangedPlayer(player));
}

function lookAtHoldings(planning: Planning, rows: readonly SourceHolding[]): void {
  const { book, rules } = planning;
  const accounts = book.accountNumbers(rows.map(({ account }) => account));
  const textures = book.textureNumbers(rows.map(({ texture }) => texture));
  for (const holding of rows) {
    const missing = { kind: "skin", source: holding.key, from: holding.texture } as const;
    const number = accounts.get(holding.account);
    if (number === undefined) {
      if (rules.limit === null) refuse(planning, { ...missing, reason: "its account is not there" });
      continue;
    }
    const account = ownerOf(planning, number);
    if (account === null || !isComing(account)) continue;
    const found = textures.get(holding.texture);
    if (found === undefined) refuse(planning, missing);
    else if (found.kind === "skin")
      addSkin(planning, {
        account: account.n,
        key: skinKey(holding.account, holding.texture, null),
        texture: found.n,
        name: holding.name,
        model: null,
        addedAt: holding.addedAt,
        isWorn: false,
      });
    else if (rules.capes === "keep") book.addGrant({ account: account.n, texture: found.n, holding });
  }
}

/** A wardrobe without an end would not fit into memory. */
function addSkin({ book }: Planning, skin: Parameters<PlanBook["addSkin"]>[0]): void {
  const most = limits.importSkinsMax;
  if (book.countThings("skins", skin.account, most) < most) return book.addSkin(skin);
  const reason = `an account has ${most} skins at most`;
  book.decide({ kind: "skin", decision: "skip", source: skin.key, from: skin.name, to: null, reason });
}

/** The account, or the one that it joins. */
function ownerOf({ book }: Planning, n: number): BookAccount | null {
  const account = book.account(n);
  return account === null || account.joins === null ? account : book.account(account.joins);
}

function isComing({ state }: BookAccount): boolean {
  return state === "new" || state === "here";
}

type Refused = {
  readonly kind: "skin" | "cape";
  readonly source: string;
  /** The key of the texture. */
  readonly from: string;
  readonly reason?: string;
};

function refuse({ book }: Planning, { reason = "the texture is not there", ...refused }: Refused): void {
  book.decide({ decision: "skip", to: null, reason, ...refused });
}
