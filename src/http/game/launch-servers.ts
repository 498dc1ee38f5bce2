import { uncountedArrival } from "../../domain/limits/address-limit.ts";
import type { GameSignInDeps, GameSignInInput } from "../../domain/game/sign-in.ts";
import type { Parts } from "../parts.ts";

/**
 * A sign-in that a launch server sends for a player. All of its players come from its one address, so attempts count by account
 * alone. A client that sends it has shown the server's secret.
 */
export function launchSignIn(
  parts: Parts,
  request: Request,
  { login, password }: { readonly login: string; readonly password: string },
): readonly [GameSignInDeps, GameSignInInput] {
  const attempt = parts.attemptBy(request, login, { arrival: uncountedArrival });
  const deps = { ...parts, attempt, limits: { inTurn: <T>(_: unknown, work: () => Promise<T>) => work() } };
  return [deps, { login, password, ...parts.clientOf(request), clientToken: null, entersAsMain: true }];
}

/** A launch server joins for its players without their addresses: a game server that asks for one is refused. */
export const noAddress = "";
