import { api, ask } from "../../api/client.ts";
import type { Problem, Result } from "../../api/problem.ts";
import { showProblem, showWait } from "../../parts/problems.tsx";
import { say, sayBad } from "../../shell/messages.tsx";
import { words } from "../../words/language.ts";
import type { Shown } from "./home-page.tsx";
import { playerIn, skinIn, withPlayer, type Cape, type Player, type Skin } from "./wardrobe-data.ts";

type Dress = { readonly skinid?: string | null; readonly cloakid?: string | null };

function dress({ uuid }: Player, body: Dress) {
  return ask(api.PATCH("/api/home/players/{uuid}", { params: { path: { uuid } }, body }));
}

function linkCape(skin: Skin, cape: Cape | null) {
  return ask(api.PUT("/api/home/edit/skin", { body: { skinid: skin.Uuid, cloakid: cape?.Uuid ?? null } }));
}

/** Why what players show was not changed. Too many changes are said in the member's language, with the time to wait. */
export function showLookProblem(problem: Problem): string {
  if (problem.kind !== "limited") return showProblem(problem);
  return words.peek().home.changedOften(showWait(problem.seconds));
}

/** Gives the chosen player the skin to wear; null takes theirs off. */
export async function wearSkin({ wardrobe, set }: Shown, skin: Skin | null): Promise<void> {
  const player = playerIn(wardrobe);
  const worn = skinIn(wardrobe, player.skin);
  const result = await dress(player, { skinid: skin?.Uuid ?? null });
  if (!result.ok) return sayBad(showLookProblem(result.problem));
  set(withPlayer(wardrobe, result.body.data));
  sayWorn(wardrobe.players.length, player, skin?.Name ?? null, worn?.Name ?? "");
}

/**
 * Gives the worn skin the cape, or takes its cape off it. Without a skin the player wears the cape; a cape that the player wore
 * whatever the skin makes room for it.
 */
export async function wearCape({ wardrobe, reload }: Shown, cape: Cape | null): Promise<void> {
  const player = playerIn(wardrobe);
  const skin = skinIn(wardrobe, player.skin);
  const worn = wardrobe.capes.find(({ Uuid }) => Uuid === player.cape);
  const problem = await firstProblem([
    () => (skin === null ? dress(player, { cloakid: cape?.Uuid ?? null }) : linkCape(skin, cape)),
    () => (skin === null || player.own_cape === "" ? null : dress(player, { cloakid: null })),
  ]);
  await reload();
  if (problem !== null) return sayBad(showLookProblem(problem));
  sayWorn(wardrobe.players.length, player, cape?.Name ?? null, worn?.Name ?? "");
}

/** Sends one request after the other until one fails. */
async function firstProblem(steps: readonly (() => Promise<Result<unknown>> | null)[]) {
  for (const step of steps) {
    const result = await step();
    if (result?.ok === false) return result.problem;
  }
  return null;
}

function sayWorn(players: number, { name }: Player, worn: string | null, before: string): void {
  const { home } = words.peek();
  if (worn === null) say(home.tookOff(before));
  else say(players > 1 ? home.wears(worn, name) : home.youWear(worn));
}
