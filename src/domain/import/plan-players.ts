import { limits } from "../../kernel/limits.ts";
import type { Decided, PlannedPlayer, PlannedSkin } from "../model/import-plan.ts";
import type { BookAccount, BookPlayer } from "../ports/plan-book.ts";
import { nameKey } from "../model/username.ts";
import { cameBefore } from "./match-records.ts";
import { skinKey } from "./plan-looks.ts";
import { isChangedPlayer } from "./plan-update.ts";
import type { Things } from "./plan-wardrobe.ts";
import type { Planning } from "./planning.ts";
import { playerDigest, wasValue } from "./record-digest.ts";

type Worn = {
  readonly things: Things;
  readonly skins: readonly PlannedSkin[];
  readonly capes: ReadonlyMap<string, string>;
};

/** Decides of the players of an account, the main one first. Players that nothing changes of are left out. */
export function planPlayers(planning: Planning, account: BookAccount, worn: Worn): readonly PlannedPlayer[] {
  const all = worn.things.players.get(account.n) ?? [];
  const came = cameBefore(all);
  const planned: PlannedPlayer[] = [];
  for (const player of mainFirst(account, all)) {
    const { state, source } = player;
    const decide = (decision: Decided["decision"], reason: string, to = player.name) =>
      planning.book.decide({
        kind: "player",
        decision,
        source: source.key,
        reason,
        from: source.name || source.uuid,
        to: decision === "keep" || decision === "skip" ? null : to,
      });
    if (state === "gone") decide("keep", "it was deleted here");
    else if (state === "here") {
      const name = worn.things.newNames.get(player.n);
      if (name !== undefined) {
        decide("merge", "what changed there comes over", name);
        add(planned, dressed(planning, account, { ...player, name }, worn));
        continue;
      }
      if (isChangedPlayer(player)) decide("keep", "it changed there: --update brings that");
      else decide("match", "");
      if (!isDressedNow(planning, player, came)) continue;
      const look = player.showsSkin ? { ...worn, skins: [], capes: new Map<string, string>() } : worn;
      add(planned, dressed(planning, account, player, look));
    } else if (state === "new") {
      if (planned.length >= limits.playersMax) {
        decide("skip", `an account has ${limits.playersMax} players at most`);
        continue;
      }
      decide(player.name === source.name ? "create" : "rename", player.reason);
      add(planned, dressed(planning, account, player, worn));
    }
  }
  return planned;
}

/** Files of one player may be named by its name and by its uuid: it is written once, with what both have. */
function add(planned: PlannedPlayer[], more: readonly PlannedPlayer[]): void {
  for (const player of more) {
    const at = planned.findIndex(({ id }) => id !== null && id === player.id);
    const other = planned[at];
    if (other === undefined) planned.push(player);
    else planned[at] = { ...other, skin: other.skin ?? player.skin, cape: other.cape ?? player.cape };
  }
}

/**
 * Players that are here get the look that a list or folder has for them once: what they change then stays.
 */
function isDressedNow(
  { source }: Planning,
  { id, source: player }: BookPlayer,
  came: ReturnType<typeof cameBefore>,
): boolean {
  const hasLook = player.skin !== null || player.cape !== null;
  return hasLook && source.facts.isAboutOthers && !came.has(id);
}

function dressed(
  { now, source: { facts } }: Planning,
  account: BookAccount,
  { id, name, uuid, source, knownDigest }: BookPlayer,
  { skins, capes }: Worn,
): readonly PlannedPlayer[] {
  if (name === null || uuid === null) return [];
  // What a player that came before wears was chosen here, unless that changed there since.
  const wears = (field: "skin" | "cape", value: unknown) =>
    facts.isAboutOthers || !wasValue(knownDigest, field, value);
  const wanted =
    source.skin === null
      ? null
      : skinKey(source.account ?? account.source.key, source.skin, source.skinModel);
  return [
    {
      key: source.key,
      id,
      name,
      uuid,
      createdAt: Math.min(source.createdAt ?? account.source.createdAt ?? now, now),
      skin:
        skins.some(({ key }) => key === wanted) && wears("skin", [source.skin, source.skinModel])
          ? wanted
          : null,
      cape: source.cape !== null && wears("cape", source.cape) ? (capes.get(source.cape) ?? null) : null,
      ...(source.own && { own: source.own }),
      digest: playerDigest(source),
    },
  ];
}

/** The main player: the one whose name is the login there, else the oldest. */
export function mainFirst(account: BookAccount, players: readonly BookPlayer[]): readonly BookPlayer[] {
  const login = account.source.login === null ? null : nameKey(account.source.login);
  const isLogin = ({ source }: BookPlayer) => (login !== null && nameKey(source.name) === login ? 0 : 1);
  return players.toSorted(
    (one, other) => isLogin(one) - isLogin(other) || ageOf(one) - ageOf(other) || one.n - other.n,
  );
}

/** When it was made; those of which it is not known come last. */
function ageOf({ source }: BookPlayer): number {
  return source.createdAt ?? Number.MAX_SAFE_INTEGER;
}
