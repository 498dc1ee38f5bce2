import { signal } from "@preact/signals";
import { api, ask } from "../../api/client.ts";
import type { Result } from "../../api/problem.ts";
import type { components } from "../../api/types.ts";

export type Skin = components["schemas"]["HomeSkin"];
export type Cape = components["schemas"]["HomeCape"];
export type Player = components["schemas"]["Player"];

/** What a member keeps, and who of their players wears what. */
export type Wardrobe = {
  /** The newest first. */
  readonly skins: readonly Skin[];
  readonly capes: readonly Cape[];
  /** The main one first. */
  readonly players: readonly Player[];
};

export async function loadWardrobe(): Promise<Result<Wardrobe>> {
  const [home, players] = await Promise.all([ask(api.GET("/api/home")), ask(api.GET("/api/home/players"))]);
  if (!home.ok) return home;
  if (!players.ok) return players;
  const { Skin, Capes } = home.body.data;
  const body = { skins: Skin.toReversed(), capes: Capes, players: players.body.data.players };
  return { ok: true, body };
}

/** The player who wears what is chosen on these pages; the main one until another is chosen. */
export const chosenPlayer = signal("");

export function playerIn({ players }: Wardrobe): Player {
  const found = players.find(({ uuid }) => uuid === chosenPlayer.value) ?? players[0];
  if (found === undefined) throw new Error("an account has a main player");
  return found;
}

export function withPlayer(wardrobe: Wardrobe, changed: Player): Wardrobe {
  const players = wardrobe.players.map((player) => (player.uuid === changed.uuid ? changed : player));
  return { ...wardrobe, players };
}

/** Skins whose deletion can still be undone, or is on its way: they are no longer shown. */
export const leaving = signal<ReadonlySet<string>>(new Set());

export function keptSkins({ skins }: Wardrobe): readonly Skin[] {
  return skins.filter(({ Uuid }) => !leaving.value.has(Uuid));
}

/** A skin that is being deleted is worn until it is gone. */
export function skinIn({ skins }: Wardrobe, uuid: string): Skin | null {
  return skins.find(({ Uuid }) => Uuid === uuid) ?? null;
}

export function capeIn({ capes }: Wardrobe, uuid: string): Cape | null {
  return capes.find(({ Uuid }) => Uuid === uuid) ?? null;
}

export const modelOf = ({ Slim }: Skin) => (Slim ? "slim" : "classic");
