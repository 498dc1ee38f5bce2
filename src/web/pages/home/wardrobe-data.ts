import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { removals } from "../../shell/removals.ts";
import { api, ask } from "../../api/client.ts";
import type { Result } from "../../api/problem.ts";
import type { components } from "../../api/types.ts";

export type Skin = components["schemas"]["HomeSkin"];
export type Cape = components["schemas"]["HomeCape"];
export type Player = components["schemas"]["Player"];

/** A member's skins and capes, and which player wears which. */
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

/** Skins whose deletion can still be undone no longer count: they make room for others. */
export function keptSkins({ skins }: Wardrobe): readonly Skin[] {
  return skins.filter(({ Uuid }) => !removals.value.has(Uuid));
}

/** Those that are kept, and those whose deletion can still be undone. */
export function listedSkins({ skins }: Wardrobe): readonly Skin[] {
  return skins.filter(({ Uuid }) => removals.value.get(Uuid) !== "gone");
}

/**
 * The skin that was worn when the list was opened comes first, and stays there: moving cards are easily
 * confused.
 */
export function withFirst<Thing extends { readonly Uuid: string }>(
  things: readonly Thing[],
  first: string,
): readonly Thing[] {
  const isFirst = ({ Uuid }: Thing) => Uuid === first;
  return [...things.filter(isFirst), ...things.filter((thing) => !isFirst(thing))];
}

/** A skin that is being deleted is worn until it is gone. */
export function skinIn({ skins }: Wardrobe, uuid: string): Skin | null {
  return skins.find(({ Uuid }) => Uuid === uuid) ?? null;
}

export function capeIn({ capes }: Wardrobe, uuid: string): Cape | null {
  return capes.find(({ Uuid }) => Uuid === uuid) ?? null;
}

export const modelOf = ({ Slim }: Skin) => (Slim ? "slim" : "classic");

/**
 * The UUID of the skin or cape chosen to be shown; empty: what this player wears. It is reset when another
 * player is chosen.
 */
export function useChosen({ uuid: player }: Player): readonly [string, (uuid: string) => void] {
  const [chosen, setChosen] = useState({ player, uuid: "" });
  const choose = (uuid: string) => setChosen({ player, uuid });
  return [chosen.player === player ? chosen.uuid : "", choose];
}
