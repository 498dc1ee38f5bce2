import { levelInForce, type Level } from "../../domain/model/account.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { PlainError } from "../../kernel/errors.ts";
import { readUuid } from "../fields.ts";
import { noAddress } from "../game/launch-servers.ts";
import { proven } from "../game/proof.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import { nameKeyOf } from "../player-keys.ts";
import { tokenWords } from "./failure.ts";

/* How players join game servers through a LaunchServer, which both of its cores ask for. */

/**
 * Notes a join. Fails with forbidden where the name, the UUID (if there is one) and the token are not one
 * player's.
 */
export async function noteJoin(
  services: Pick<Services, "game" | "reads">,
  given: {
    readonly username: string;
    readonly uuid?: string | null;
    readonly accessToken: string;
    readonly serverId: string;
  },
): Promise<void> {
  const { username, uuid, accessToken: token, serverId } = given;
  const shown = await services.reads.textures.findAppearance(nameKeyOf(username));
  const isSame = uuid === undefined || uuid === null || readUuid("uuid", uuid) === shown?.uuid;
  if (shown?.name !== username || !isSame) throw new PlainError("forbidden", tokenWords.invalid);
  const input = { token, player: shown.uuid, serverId, address: noAddress };
  await proven(tokenWords.invalid, services.game.join(input));
}

/** The player that has joined, and its account's level. Fails with not_found. */
export async function joinedPlayer(
  services: Pick<Services, "game" | "reads" | "clock">,
  { username: name, serverId }: { readonly username: string; readonly serverId: string },
): Promise<{ readonly shown: Appearance; readonly level: Level | null }> {
  const shown = await services.game.findJoined({ name, serverId, address: null });
  if (shown === null) throw new PlainError("not_found", "This player has not joined");
  return { shown, level: await levelOf(services, shown) };
}

/** The level in force of a player's account; null: the player is gone. */
export async function levelOf(
  { reads, clock }: Pick<Services, "reads" | "clock">,
  { uuid }: Appearance,
): Promise<Level | null> {
  const member = await reads.accounts.findMember({ by: "uuid", value: uuid });
  return member === null ? null : levelInForce(member.account, clock.nowSeconds());
}
