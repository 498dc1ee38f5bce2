import { isSameSecret } from "../../kernel/constant-time.ts";
import type { Rules } from "../model/rules.ts";
import type { Clock } from "../../kernel/clock.ts";
import { PlainError } from "../../kernel/errors.ts";
import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { parseIpAddress } from "../../kernel/ip-address.ts";
import { limits } from "../../kernel/limits.ts";
import { refusals } from "../model/refusals.ts";
import { nameKey } from "../model/username.ts";
import type { Join, JoinStore } from "../ports/join-store.ts";
import type { Reads } from "../ports/stores.ts";
import type { Appearance } from "../ports/texture-store.ts";
import { useGamePlayer, type GameUseDeps } from "./session.ts";

/**
 * What a game server's id may be: a signed SHA-1 in hexadecimal, or a word of older games. It is kept as it
 * is.
 */
const serverIdPattern = /^[0-9a-f-]{1,64}$/;

/** A game that joins a game server as the player of its token. */
export type JoinInput = Omit<Join, "name" | "session"> & { readonly token: string };

/**
 * Notes that a player joins a game server. Only the player that the token is bound to may: anything else
 * fails with unauthenticated. Fails with invalid for an id of another form. Writes nothing to the database.
 */
export async function joinServer(
  deps: GameUseDeps & { readonly joins: JoinStore },
  { token, player: uuid, serverId, address }: JoinInput,
): Promise<void> {
  if (!serverIdPattern.test(serverId)) {
    throw new PlainError("invalid", "must be 1 to 64 hexadecimal digits", { field: "serverId" });
  }
  const { player, session } = await useGamePlayer(deps, token);
  if (player?.uuid !== uuid) throw refusals.invalidGameToken();
  await deps.joins.keep({ player: uuid, name: player.name, serverId, address, session: session.id });
}

/** A game server's question. `address`: where the player's game must be; null: anywhere. */
export type JoinQuestion = {
  readonly name: string;
  readonly serverId: string;
  readonly address: string | null;
};

/**
 * What the player shows that joins a game server under this name; null where no player does. The name must be
 * the player's, to the letter, now and when it joined, and its session must go on: a player that was renamed
 * or removed since then, or whose session was ended, does not get in. Any number of times within
 * `limits.joinSeconds`, because a proxy and its servers both ask.
 */
export async function findJoined(
  deps: {
    readonly reads: Pick<Reads, "sessions" | "textures">;
    readonly joins: JoinStore;
    readonly rules: Pick<Rules, "game">;
  },
  { name, serverId, address }: JoinQuestion,
): Promise<Appearance | null> {
  const appearance = await deps.reads.textures.findAppearance({ by: "name", value: nameKey(name) });
  if (appearance?.name !== name) return null;
  const join = await deps.joins.find(appearance.uuid);
  if (join?.name !== name || !isSameSecret(join.serverId, serverId)) return null;
  if (!(await deps.reads.sessions.hasSession(join.session))) return null;
  const isChecked = address !== null && deps.rules.game.checksAddress;
  return isChecked && !isSameAddress(join.address, address) ? null : appearance;
}

/** Keeps joins in this process's memory. */
export function createJoinMemory({ clock }: { readonly clock: Clock }): JoinStore {
  const kept = new BoundedMap<Uuid, Join & { readonly until: number }>(limits.joinsMax);
  return {
    keep: async (join) =>
      void kept.set(join.player, { ...join, until: clock.steadySeconds() + limits.joinSeconds }),
    find: async (player) => {
      const found = kept.get(player);
      if (found === undefined || found.until <= clock.steadySeconds()) return null;
      const { until: _, ...join } = found;
      return join;
    },
  };
}

/** In any spelling: IPv6 has many, and may embed IPv4. No game server asks for an address with a zone. */
function isSameAddress(one: string, other: string): boolean {
  const address = parseIpAddress(one);
  return !other.includes("%") && address !== null && address === parseIpAddress(other);
}
