import { newUuid, type AccountId } from "../../kernel/ids.ts";
import type { Clock } from "../../kernel/clock.ts";
import { playerOf, type Account, type Member, type Player } from "../model/account.ts";
import { anonymous } from "../model/actor.ts";
import { nameKey } from "../model/username.ts";
import { clientNetworks } from "../limits/address-limit.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { Proof } from "../model/session.ts";
import type { Tx } from "../ports/unit-of-work.ts";
import { openSession } from "../sessions/open-session.ts";
import { credentialsKey } from "../sessions/credentials.ts";
import {
  checkPassword,
  type ComparisonTurn,
  type SignInDeps,
  type SignInInput,
} from "../sessions/sign-in.ts";
import { refuseSuspended } from "../sessions/suspended.ts";
import type { PasswordThrottle } from "./password-throttle.ts";
import { newGameToken } from "./tokens.ts";

/** What a sign-in of a launcher works with. */
export type GameSignInDeps = SignInDeps & {
  readonly throttle: PasswordThrottle;
  readonly limits: Pick<RateLimits, "inTurn">;
  readonly clock: Clock;
};

/** Who signs in. `isShared`: many players share the address, so that they do not wait for each other. */
type PlayerSignIn = SignInInput & { readonly isShared?: boolean };

/** A sign-in by a launcher. */
export type GameSignInInput = PlayerSignIn & {
  /** What the launcher calls itself; null: it gets a name. */
  readonly clientToken: string | null;
  /**
   * Whether an account with several players enters as the main one where the login names no player. One
   * without a player is then refused with forbidden.
   */
  readonly entersAsMain: boolean;
};

/** A game session, as its launcher learns of it. */
export type GameSignedIn = {
  readonly token: string;
  readonly clientToken: string;
  readonly account: Account;
  /** All players of the account, the oldest first. */
  readonly players: readonly Player[];
  /** The player that the session is bound to; null: no player yet. */
  readonly player: Player | null;
};

/**
 * Opens a game session for a person who knows the password of a mail address, or of a username of any player
 * of the account. It is bound to the player that the login names, else to the only one. Fails as the sign-in
 * on the website does, and with limited where other tries of the login would hold it up for long. An
 * unfinished account without a player may sign in. The account keeps ten game sessions; the oldest beyond
 * that end.
 */
export async function signInToGame(deps: GameSignInDeps, input: GameSignInInput): Promise<GameSignedIn> {
  const { token, hash: tokenHash } = newGameToken();
  const clientToken = input.clientToken ?? newUuid().replaceAll("-", "");
  return withPassword(deps, input, async (tx, proof) => {
    const { account } = proof.member;
    const players = await tx.players.list(account.id);
    const player = namedPlayer(players, input.login) ?? (input.entersAsMain ? playerOf(proof.member) : null);
    const playerId = player?.id ?? null;
    await openSession(tx, proof, input, { kind: "game", playerId, tokenHash, clientToken });
    return { token, clientToken, account, players, player };
  });
}

/**
 * Ends all game sessions of an account, for a person who knows its password. Fails as `signInToGame` does.
 */
export async function signOutOfGame(deps: GameSignInDeps, input: SignInInput): Promise<Member> {
  return withPassword(deps, input, async (tx, { member }) => {
    await refuseSuspended(tx, member.account.id);
    await tx.sessions.trimSessions(member.account.id, "game", 0);
    return member;
  });
}

/** Work of a transaction for a person who has proven who they are. */
type Proven<T> = (tx: Tx, proof: Proof) => Promise<T>;

/** Compares a password and does the work in a transaction: few of an address at once. */
function withPassword<T>(deps: GameSignInDeps, input: PlayerSignIn, work: Proven<T>): Promise<T> {
  const compare = async () => {
    const prove = await checkPassword(deps, input, laneOf(deps, input));
    return deps.transact(anonymous, async (tx) => work(tx, await prove(tx)));
  };
  return input.isShared === true ? compare() : deps.limits.inTurn(input, compare);
}

/** An id that no account has: an unknown login costs the same questions as a known one. */
const noAccount = 0 as AccountId;

/** The lane in which a password is compared. Strangers wait for strangers alone. */
function laneOf({ reads, clock, throttle }: GameSignInDeps, input: SignInInput): ComparisonTurn {
  const { by, value } = credentialsKey(input.login);
  const login = `${by}:${value}`;
  const networks = clientNetworks(input);
  const [network = input.address] = networks;
  return async (known, compare) => {
    const addresses = await reads.sessions.listAddresses(known?.id ?? noAccount, clock.nowSeconds());
    const isKnown = addresses.some((address) => clientNetworks({ address })[0] === network);
    const account = known === null ? login : `id:${known.id}`;
    const knownNetwork = isKnown ? network : null;
    return throttle({ login, account, knownNetwork, site: networks.at(-1) ?? network }, compare);
  };
}

function namedPlayer(players: readonly Player[], login: string): Player | null {
  const [only = null, ...others] = players;
  if (others.length === 0) return only;
  const key = nameKey(login);
  return players.find(({ name }) => nameKey(name) === key) ?? null;
}
