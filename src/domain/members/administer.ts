import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { SessionId, Uuid } from "../../kernel/ids.ts";
import type { Actor } from "../model/actor.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Stores, Transact } from "../ports/stores.ts";
import { releaseTextures, type DropFiles } from "../textures/files.ts";
import type { Level, Member } from "../model/account.ts";
import { findMember } from "../accounts/identifier.ts";
import { mailKey, parseMail } from "../model/mail-address.ts";
import { noticeMail, noticePassword } from "../accounts/notices.ts";
import { parseNewPassword } from "../model/password.ts";
import { addPlayer, holdName, renamePlayer } from "../accounts/player-name.ts";
import { readProfile, type Profile } from "./profile.ts";
import { keepAdministrator } from "./roles.ts";
import { parseUsername } from "../model/username.ts";

type Deps = { readonly transact: Transact; readonly clock: Clock; readonly nameHoldSeconds: number };
type UpdateDeps = Deps & { readonly hasher: PasswordHasher; readonly usernamePattern: RegExp };

/** What is changed of an account. What is absent stays as it is. */
export type UserChange = {
  /** Gives an unfinished account its player. */
  readonly username?: string;
  readonly mail?: string;
  readonly mailVerified?: boolean;
  /** A skin of the account's own wardrobe; null selects none. */
  readonly selectedSkin?: Uuid | null;
  readonly password?: string;
  /** A temporary role holds on, until it ends. */
  readonly permanentLevel?: Level;
  /** Unlinks the social account. */
  readonly identity?: null;
};

/**
 * Changes an account for who runs the community, all of it or nothing. A new address counts as unconfirmed unless the change
 * says otherwise. A new address and a new password each end the account's sessions (but `keptSession`, which asks for it),
 * make its codes worthless and mail a notice to the address as it was. Writes audit unless nothing changed. Fails with
 * not_found for an unknown identifier, with invalid, naming the field, for what breaks a rule, with conflict for a name or
 * address that is somebody's, and as `keepAdministrator` does.
 */
export async function updateUser(
  deps: UpdateDeps,
  actor: Actor,
  input: {
    readonly identifier: string;
    readonly change: UserChange;
    readonly keptSession?: SessionId;
  },
): Promise<Profile> {
  const { change } = input;
  const { password } = change;
  // Hashing takes long, and a transaction must not.
  const hash = password === undefined ? null : await deps.hasher.hash(parseNewPassword(password));
  return deps.transact(async (stores) => {
    const at = deps.clock.nowSeconds();
    const read = (member: Member) => readProfile({ ...deps, reads: stores }, member);
    const before = await read(await findMember(stores.accounts, input.identifier));
    const { id } = before.account;
    await changeName(stores, before, change, { ...deps, at });
    await changeMail(stores, before, change, at);
    await changePassword(stores, before, hash, at);
    await changeSelection(stores, before, change);
    await changeLevel(stores, before, change);
    if (change.identity === null) await stores.identities.deleteIdentityOf(id);

    const after = await read(await findMember(stores.accounts, String(id)));
    await keepAdministrator(stores.accounts, { before, after, now: at });
    if (hash !== null || isMoved(before, after.account.mail)) {
      await stores.sessions.deleteSessionsOf(id, input.keptSession);
      await stores.codes.deleteCodesOf(id);
    }
    const detail = differences(before, after);
    if (detail === null) return after;
    await stores.audit.append({ actor, action: "user.update", forAccountId: id, at, detail });
    return after;
  });
}

async function changeName(
  stores: Stores,
  { account, player }: Member,
  { username }: UserChange,
  rules: Pick<UpdateDeps, "usernamePattern" | "nameHoldSeconds"> & { readonly at: number },
): Promise<void> {
  if (username === undefined || username === player?.name) return;
  const { at } = rules;
  const name = parseUsername(username, rules.usernamePattern);
  if (player === null) await addPlayer(stores, account, name, at);
  else await renamePlayer(stores, player, name, { at, heldUntil: at + rules.nameHoldSeconds });
}

async function changeMail(stores: Stores, before: Member, change: UserChange, at: number): Promise<void> {
  const { account } = before;
  const mail = change.mail === undefined ? account.mail : parseMail(change.mail);
  if (mail === null) {
    if (change.mailVerified !== true) return;
    throw new AppError("invalid", "mail_verify: this user has no mail address that could be verified");
  }
  const isNew = isMoved(before, mail);
  const mailVerified = change.mailVerified ?? (account.mailVerified && !isNew);
  await stores.accounts.setMail(account.id, { mail, mailVerified });
  if (isNew) await noticeMail(stores.outbox, before, mail, at);
}

/** The same address in other capitals is no other one. */
function isMoved({ account }: Member, mail: string | null): boolean {
  return keyOf(account.mail) !== keyOf(mail);
}

function keyOf(mail: string | null): string | null {
  return mail === null ? null : mailKey(mail);
}

async function changePassword(
  stores: Stores,
  before: Member,
  hash: string | null,
  at: number,
): Promise<void> {
  if (hash === null) return;
  await stores.accounts.setPasswordHash(before.account.id, hash);
  await noticePassword(stores.outbox, before, at);
}

async function changeSelection(
  stores: Stores,
  { player, skins }: Profile,
  { selectedSkin }: UserChange,
): Promise<void> {
  if (selectedSkin === undefined) return;
  const skin = selectedSkin === null ? null : skins.find(({ uuid }) => uuid === selectedSkin);
  if (skin === undefined) {
    throw new AppError("invalid", `selected_skin: the user's wardrobe holds no skin ${selectedSkin}`);
  }
  if (player !== null) await stores.accounts.selectSkin(player.id, skin?.id ?? null);
}

async function changeLevel(
  { accounts }: Stores,
  { account }: Member,
  { permanentLevel }: UserChange,
): Promise<void> {
  if (permanentLevel === undefined) return;
  await accounts.setLevels(account.id, { permanentLevel, role: account.role });
}

/** What the audit tells of a change; null when nothing has changed. */
function differences(before: Profile, after: Profile) {
  const [old, now] = [auditFacts(before), auditFacts(after)];
  const changed = Object.keys(old).filter((name) => old[name] !== now[name]);
  if (changed.length === 0) return null;
  const show = (facts: AuditFacts) =>
    Object.fromEntries(changed.map((name) => [name, name === "password" ? "[redacted]" : facts[name]]));
  return { old: show(old), new: show(now) };
}

type AuditFacts = Readonly<Record<string, string | number | boolean | null>>;

/** What of an account the audit looks at, in the contract's words. The password's hash is for comparing alone. */
function auditFacts({ account, player, level, selectedSkin, identity }: Profile): AuditFacts {
  return {
    username: player?.name ?? "",
    mail: account.mail ?? "",
    mail_verify: account.mailVerified,
    selected_skin: selectedSkin?.uuid ?? "",
    password: account.passwordHash,
    perms: level,
    perms_permanent: account.permanentLevel,
    dsid: identity?.subject ?? "",
  };
}

/**
 * Removes an account with its player, sessions, identity, skins and grants; the player's name is held as if given up. Writes audit.
 * Fails with not_found for an unknown identifier and with conflict as `keepAdministrator` does.
 */
export async function deleteAccount(
  deps: Deps & { readonly dropFiles: DropFiles },
  actor: Actor,
  identifier: string,
): Promise<Member> {
  const { member, freed } = await deps.transact(async (stores) => {
    const found = await findMember(stores.accounts, identifier);
    const { account, player } = found;
    const at = deps.clock.nowSeconds();
    await keepAdministrator(stores.accounts, { before: found, after: null, now: at });
    const skins = await stores.textures.listSkins(account.id);
    if (player !== null) await holdName(stores.accounts, player, at + deps.nameHoldSeconds);
    await stores.accounts.deleteAccount(account.id);
    const hashes = skins.map((skin) => skin.texture.hash);
    const unused = await releaseTextures(stores.textures, hashes);
    const detail = { old: { uuid: account.uuid, username: player?.name ?? "", mail: account.mail ?? "" } };
    await stores.audit.append({ actor, action: "user.delete", forAccountId: account.id, at, detail });
    return { member: found, freed: unused };
  });
  await deps.dropFiles(freed);
  return member;
}
