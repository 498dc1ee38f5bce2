import { signal } from "@preact/signals";
import { api, ask } from "../../api/client.ts";
import type { Problem, Result } from "../../api/problem.ts";
import { showProblem } from "../../parts/problems.tsx";
import { faceChanged } from "../../shell/member-menu.tsx";
import { say, sayBad } from "../../shell/messages.tsx";
import { showWait } from "../../words/format.ts";
import { words } from "../../words/language.ts";
import type { ShownWardrobe } from "./home-page.tsx";
import {
  capeIn,
  loadWardrobe,
  playerIn,
  skinIn,
  withPlayer,
  type Cape,
  type Player,
  type Skin,
  type Wardrobe,
} from "./wardrobe-data.ts";

/** The UUID of what is being put on or taken off; empty: nothing. */
export const dressing = signal("");

type Dress = { readonly skinid?: string | null; readonly cloakid?: string | null };

function dress({ uuid }: Player, body: Dress) {
  return ask(api.PATCH("/api/home/players/{uuid}", { params: { path: { uuid } }, body }));
}

function linkCape(skin: Skin, cape: Cape | null) {
  return ask(api.PUT("/api/home/edit/skin", { body: { skinid: skin.Uuid, cloakid: cape?.Uuid ?? null } }));
}

/** Why a player's look was not changed. After too many changes it says how long to wait. */
export function showLookProblem(problem: Problem): string {
  return problem.error.startsWith("too_many;")
    ? words.peek().home.changedOften(words.peek().shell.limited(showWait(problem.seconds)))
    : showProblem(problem);
}

/**
 * Puts the skin on the chosen player; null takes the skin off. While a change is under way, others do
 * nothing.
 */
export function wearSkin(shown: ShownWardrobe, skin: Skin | null): Promise<void> {
  const { wardrobe, set } = shown;
  const player = playerIn(wardrobe);
  const worn = skinIn(wardrobe, player.skin);
  return alone(skin?.Uuid ?? player.skin, async () => {
    const result = await dress(player, { skinid: skin?.Uuid ?? null });
    if (!result.ok) return sayNotWorn(shown, result.problem, goneSkin(skin));
    set(withPlayer(wardrobe, result.body.data));
    sayWorn(wardrobe.players.length, player, skin?.Name ?? null, worn?.Name ?? "");
  });
}

/**
 * Gives the worn skin the cape, or takes its cape off. Without a skin the player itself wears the cape; it
 * replaces the player's own cape. While a change is under way, others do nothing.
 */
export function wearCape(shown: ShownWardrobe, cape: Cape | null): Promise<void> {
  const { wardrobe, reload } = shown;
  const player = playerIn(wardrobe);
  const skin = skinIn(wardrobe, player.skin);
  const worn = capeIn(wardrobe, player.cape);
  return alone(cape?.Uuid ?? player.cape, async () => {
    const problem = await firstProblem([
      () => (skin === null ? dress(player, { cloakid: cape?.Uuid ?? null }) : linkCape(skin, cape)),
      () => (skin === null || player.own_cape === "" ? null : dress(player, { cloakid: null })),
    ]);
    if (problem !== null) return sayNotWorn(shown, problem, goneCape(cape));
    await reload();
    sayWorn(wardrobe.players.length, player, cape?.Name ?? null, worn?.Name ?? "");
  });
}

async function alone(uuid: string, change: () => Promise<void>): Promise<void> {
  if (dressing.peek() !== "") return;
  dressing.value = uuid;
  try {
    await change();
  } finally {
    dressing.value = "";
  }
}

/** The message if the wardrobe lacks a thing; null: the thing is there. */
export type SayGone = (now: Wardrobe) => string | null;

export const goneSkin =
  (skin: Skin | null): SayGone =>
  (now) =>
    skin === null || skinIn(now, skin.Uuid) !== null ? null : words.peek().wardrobe.goneElsewhere(skin.Name);

const goneCape =
  (cape: Cape | null): SayGone =>
  (now) =>
    cape === null || capeIn(now, cape.Uuid) !== null ? null : words.peek().wardrobe.capeGone(cape.Name);

/** Says why something was not put on. What another tab or an administrator has removed disappears. */
async function sayNotWorn(shown: ShownWardrobe, problem: Problem, gone: SayGone): Promise<void> {
  sayBad((await sayGone(shown, problem, gone)) ?? showLookProblem(problem));
}

/** After a failure: shows the wardrobe as it is now. Returns what to say if the thing is gone, else null. */
export async function sayGone(
  { set }: Pick<ShownWardrobe, "set">,
  { kind }: Problem,
  gone: SayGone,
): Promise<string | null> {
  if (kind === "unreachable" || kind === "signed-out") return null;
  const now = await loadWardrobe();
  if (!now.ok) return null;
  set(now.body);
  return gone(now.body);
}

/** Sends one request after the other until one fails. */
async function firstProblem(steps: readonly (() => Promise<Result<unknown>> | null)[]) {
  for (const step of steps) {
    const result = await step();
    if (result?.ok === false) return result.problem;
  }
  return null;
}

function sayWorn(players: number, { name, main }: Player, worn: string | null, before: string): void {
  const { home } = words.peek();
  if (main) faceChanged();
  if (worn === null) say(home.tookOff(before));
  else say(players > 1 ? home.wears(worn, name) : home.youWear(worn));
}
