import type { Clock } from "../../kernel/clock.ts";
import type { Issuer } from "../audit/audit.ts";
import type { BlobStore, PasswordHasher } from "../ports.ts";
import type { Transact } from "../stores.ts";
import { dropUnusedFiles, releaseTextures } from "../textures/files.ts";
import type { Level, Member } from "./account.ts";
import { findMember } from "./identifier.ts";
import { parseNewPassword } from "./password.ts";
import { keepAdministrator } from "./roles.ts";
import { nameKey } from "./username.ts";

type Deps = { readonly transact: Transact; readonly clock: Clock };

/**
 * Sets the level that an account has for good. Writes audit. Fails with not_found for an unknown identifier and with
 * conflict when it would leave no administrator.
 */
export async function setLevel(
  deps: Deps,
  issuer: Issuer,
  input: { identifier: string; level: Level },
): Promise<Member> {
  return deps.transact(async (stores) => {
    const member = await findMember(stores.accounts, input.identifier);
    const { account } = member;
    const at = deps.clock.nowSeconds();
    const after = { ...member, account: { ...account, permanentLevel: input.level } };
    await keepAdministrator(stores.accounts, { before: member, after, now: at });
    await stores.accounts.setLevels(account.id, after.account);
    const detail = { old: { perms: account.permanentLevel }, new: { perms: input.level } };
    await stores.audit.append({ issuer, action: "user.update", forAccountId: account.id, at, detail });
    return after;
  });
}

/**
 * Sets an account's password, ends all its sessions and makes its codes worthless. Writes audit, without the password. Fails with not_found for an
 * unknown identifier and with invalid for a password outside the rules.
 */
export async function setPassword(
  deps: Deps & { readonly hasher: PasswordHasher },
  issuer: Issuer,
  input: { readonly identifier: string; readonly password: string },
): Promise<Member> {
  const hash = await deps.hasher.hash(parseNewPassword(input.password));
  return deps.transact(async (stores) => {
    const member = await findMember(stores.accounts, input.identifier);
    const { id } = member.account;
    await stores.accounts.setPasswordHash(id, hash);
    await stores.sessions.deleteSessionsOf(id);
    await stores.codes.deleteCodesOf(id);
    const at = deps.clock.nowSeconds();
    const detail = { new: { password: "[redacted]" } };
    await stores.audit.append({ issuer, action: "user.update", forAccountId: id, at, detail });
    return { account: { ...member.account, passwordHash: hash }, player: member.player };
  });
}

/**
 * Removes an account with its player, sessions, skins and grants; the player's name is held as if given up. Writes audit.
 * Fails with not_found for an unknown identifier and with conflict for the last administrator.
 */
export async function deleteAccount(
  deps: Deps & { readonly blobs: BlobStore; readonly nameHoldSeconds: number },
  issuer: Issuer,
  identifier: string,
): Promise<Member> {
  const { member, freed } = await deps.transact(async (stores) => {
    const found = await findMember(stores.accounts, identifier);
    const { account, player } = found;
    const at = deps.clock.nowSeconds();
    await keepAdministrator(stores.accounts, { before: found, after: null, now: at });
    const skins = await stores.textures.listSkins(account.id);
    if (player !== null)
      await stores.accounts.holdName(nameKey(player.name), account.id, at + deps.nameHoldSeconds);
    await stores.accounts.deleteAccount(account.id);
    const hashes = skins.map((skin) => skin.texture.hash);
    const unused = await releaseTextures(stores.textures, hashes);
    const detail = { old: { uuid: account.uuid, username: player?.name ?? "", mail: account.mail ?? "" } };
    await stores.audit.append({ issuer, action: "user.delete", forAccountId: account.id, at, detail });
    return { member: found, freed: unused };
  });
  await dropUnusedFiles(deps, freed);
  return member;
}
