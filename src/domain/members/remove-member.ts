import type { TextureFile } from "../../kernel/ids.ts";
import { holdName } from "../accounts/player-name.ts";
import { usernameOf, type Member } from "../model/account.ts";
import type { system } from "../model/actor.ts";
import type { Rules } from "../model/rules.ts";
import type { Transact, Tx } from "../ports/unit-of-work.ts";
import { releaseTextures, type TextureDeps } from "../textures/files.ts";
import { keepAdministrator } from "./levels.ts";

/** What the end of an account needs. */
export type DeletionDeps = TextureDeps & {
  readonly transact: Transact;
  readonly rules: Pick<Rules, "names">;
};

/**
 * Within a transaction: removes an account with its players, sessions, identity, skins and grants; the
 * players' names are held as after a rename. Writes audit, in the name of the actor unless `by` is given.
 * Fails with conflict as `keepAdministrator` does. Resolves to the files that no row names any more, which
 * the caller drops afterwards.
 */
export async function removeMember(
  deps: DeletionDeps,
  tx: Tx,
  member: Member,
  by?: typeof system,
): Promise<readonly TextureFile[]> {
  const { account } = member;
  await keepAdministrator(tx, member, null);
  const skins = await tx.textures.listSkins(account.id);
  const players = await tx.players.list(account.id);
  for (const owned of players) await holdName(tx, owned, deps.rules.names.holdSeconds);
  await tx.accounts.deleteAccount(account.id);
  const hashes = skins.map((skin) => skin.texture.hash);
  const unused = await releaseTextures(deps, tx, hashes);
  const names = players.map(({ uuid, name }) => ({ uuid, name }));
  const more = players.length > 1 ? { players: names } : {};
  const detail = {
    old: { uuid: account.uuid, username: usernameOf(member), mail: account.mail ?? "", ...more },
  };
  tx.audit("user.delete", account.id, detail, by);
  return unused;
}
