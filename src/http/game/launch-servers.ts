import type { GameSignedIn } from "../../domain/game/sign-in.ts";
import { clientNetworks, uncountedArrival } from "../../domain/limits/address-limit.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import { formatIpAddress, parseIpAddress } from "../../kernel/ip-address.ts";
import { behalf, onBehalfOf } from "../../kernel/on-behalf.ts";
import type { Http } from "../http.ts";

/** What a launch server says of a player who signs in. */
export type LaunchSignIn = {
  readonly login: string;
  readonly password: string;
  /** The address that the player comes from, as the launch server sees it; null: it says none. */
  readonly playerAddress: string | null;
};

/**
 * Signs a player in for whom a launch server asks; the launch server has shown its secret. Where it says the
 * player's address, the player is the client: limits, sessions and shares of work count for that address.
 * Otherwise all of its players come from one address, so nothing counts for that, and each login is tried at
 * the pace of its lane: five wrong tries of one player would lock out another.
 */
export function launchSignIn(
  { game }: Pick<Services, "game">,
  { requests }: Pick<Http, "requests">,
  request: Request,
  { login, password, playerAddress }: LaunchSignIn,
): Promise<GameSignedIn> {
  const common = { login, password, clientToken: null, entersAsMain: true } as const;
  const { address: ofServer, userAgent } = requests.clientOf(request);
  const player = playerAddress === null ? null : parseIpAddress(playerAddress);
  if (playerAddress === null || player === null) {
    const attempt = requests.attemptBy(request, login, { arrival: uncountedArrival, isShared: true });
    return game.signIn({ ...common, attempt, isShared: true, address: ofServer, userAgent });
  }
  const address = formatIpAddress(player);
  const attempt = requests.attemptBy(request, login, { address, resetsAddress: true });
  const [client = address, ...within] = clientNetworks({ address });
  const gone = behalf()?.gone ?? null;
  return onBehalfOf({ client, within, gone }, () => game.signIn({ ...common, attempt, address, userAgent }));
}

/**
 * A launch server joins for its players without their addresses: a game server that asks for one is refused.
 */
export const noAddress = "";
