import { limits } from "../../kernel/limits.ts";
import type { PlannedPlayer, PlannedSkin } from "../model/import-plan.ts";
import type { BookAccount, BookPlayer } from "../ports/plan-book.ts";
import { mainFirst } from "./plan-accounts.ts";
import { skinKey } from "./plan-looks.ts";
import type { Things } from "./plan-wardrobe.ts";
import type { Planning } from "./planning.ts";

type Worn = {
  readonly things: Things;
  readonly skins: readonly PlannedSkin[];
  readonly capes: ReadonlyMap<string, string>;
};

/** Decides of the players of an account, the main one first. Players that nothing changes of are left out. */
export function planPlayers(planning: Planning, account: BookAccount, worn: Worn): readonly PlannedPlayer[] {
  const all = worn.things.players.get(account.n) ?? [];
  const planned: PlannedPlayer[] = [];
  for (const player of mainFirst(account, all)) {
    const { state, source } = player;
    const decide = (decision: "create" | "rename" | "match" | "keep" | "skip", reason: string) =>
      planning.book.decide({
        ...{ kind: "player", decision, source: source.key, reason, from: source.name || source.uuid },
        to: decision === "create" || decision === "rename" || decision === "match" ? player.name : null,
      });
    if (state === "gone") decide("keep", "it was deleted here");
    else if (state === "here") {
      decide("match", "");
      if (isDressedAgain(planning, player)) planned.push(...dressed(planning, account, player, worn));
    } else if (state === "new") {
      if (planned.length >= limits.playersMax) {
        decide("skip", `an account has ${limits.playersMax} players at most`);
        continue;
      }
      decide(player.name === source.name ? "create" : "rename", player.reason);
      planned.push(...dressed(planning, account, player, worn));
    }
  }
  return planned;
}

/** Players that are here wear what a folder has for them where they wear nothing, or the last changes. */
function isDressedAgain({ source, rules }: Planning, { showsSkin, source: player }: BookPlayer): boolean {
  const hasLook = player.skin !== null || player.cape !== null;
  return hasLook && (rules.updates || (source.facts.isAboutOthers && !showsSkin));
}

function dressed(
  { now }: Planning,
  account: BookAccount,
  { id, name, uuid, source }: BookPlayer,
  { skins, capes }: Worn,
): readonly PlannedPlayer[] {
  if (name === null || uuid === null) return [];
  const wanted = source.skin === null ? null : skinKey(account.source.key, source.skin, source.skinModel);
  return [
    {
      ...{
        key: source.key,
        id,
        name,
        uuid,
        createdAt: Math.min(source.createdAt ?? account.source.createdAt ?? now, now),
      },
      skin: skins.some(({ key }) => key === wanted) ? wanted : null,
      cape: source.cape === null ? null : (capes.get(source.cape) ?? null),
      ...(source.own && { own: source.own }),
    },
  ];
}
