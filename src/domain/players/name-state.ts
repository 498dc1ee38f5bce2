import type { Rules } from "../model/rules.ts";
import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { nameKey, parseUsername } from "../model/username.ts";
import type { AliasReads } from "../ports/alias-store.ts";
import type { PlayerReads } from "../ports/player-store.ts";

type Deps = {
  readonly reads: { readonly players: PlayerReads; readonly aliases: AliasReads };
  readonly clock: Clock;
  readonly rules: Pick<Rules, "names">;
};

/**
 * Whether an account may give a player a name: it is free, or a player has it or it is held for another
 * account or signs in to another one, or no rule allows it.
 */
export async function nameState(
  { reads: { players, aliases }, clock, rules }: Deps,
  account: AccountId,
  name: string,
): Promise<"free" | "taken" | "refused"> {
  try {
    parseUsername(name, rules.names.pattern);
  } catch (error) {
    if (error instanceof AppError) return "refused";
    throw error;
  }
  const key = nameKey(name);
  if ((await players.findLook({ by: "name", value: key })) !== null) return "taken";
  const signsIn = await aliases.findAliasOwner(key);
  if (signsIn !== null && signsIn !== account) return "taken";
  const hold = await players.findNameHold(key);
  return hold !== null && hold.heldUntil > clock.nowSeconds() && hold.accountId !== account
    ? "taken"
    : "free";
}
