import { refusals } from "../model/refusals.ts";
import type { Rules } from "../model/rules.ts";
import type { SessionId, Uuid } from "../../kernel/ids.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { dropFiles } from "../textures/files.ts";
import { usernameOf, type Level, type Member } from "../model/account.ts";
import { findMember } from "../accounts/identifier.ts";
import type { SuspensionTerms } from "../model/suspension.ts";
import { changedFacts, type Facts } from "../model/audit-facts.ts";
import { mailKey, parseMail } from "../model/mail-address.ts";
import { parseNewPassword } from "../model/password.ts";
import { addPlayer, renamePlayer } from "../accounts/player-name.ts";
import { settleRegistration } from "../accounts/register.ts";
import { readProfile, type Profile } from "./profile.ts";
import { keepAdministrator } from "./levels.ts";
import { removeMember, type DeletionDeps } from "./remove-member.ts";
import { changeSuspension } from "./suspend.ts";
import { parseUsername } from "../model/username.ts";

type UpdateDeps = {
  readonly transact: Transact;
  readonly hasher: PasswordHasher;
  readonly rules: Pick<Rules, "names" | "players">;
};

/** What is changed of an account. What is absent stays as it is. */
export type UserChange = {
  /** Gives an unfinished account its player. */
  readonly username?: string;
  readonly mail?: string;
  readonly mailVerified?: boolean;
  /** A skin of the account's own wardrobe; null selects none. */
  readonly selectedSkin?: Uuid | null;
  readonly password?: string;
  /** A temporary level stays until it ends. */
  readonly permanentLevel?: Level;
  /** Unlinks the social account. */
  readonly identity?: null;
  /**
   * How many players the account's owner may make, 1 to 100; null: as many as the settings say. Players that
   * there are stay.
   */
  readonly playersMax?: number | null;
  /** Suspends the account (`changeSuspension`); null ends that. */
  readonly suspension?: SuspensionTerms | null;
};

/**
 * Changes an account for staff and operators, all of it or nothing. A new address counts as unconfirmed
 * unless the change says otherwise. A new address and a new password each end the account's sessions (except
 * `keptSession`, which makes the change), make its codes worthless and mail a notice to the address as it
 * was. Writes audit unless nothing changed. Fails with not_found for an unknown identifier, with invalid,
 * naming the field, for what breaks a rule, with conflict for a name or address that is taken, and as
 * `keepAdministrator` and `changeSuspension` do.
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
  return deps.transact(actor, async (tx) => {
    const before = await readProfile(tx, await findMember(tx.accounts, input.identifier), tx.now);
    const { id } = before.account;
    await changeName(tx, before, change, deps.rules);
    await changeMail(tx, before, change);
    if (hash !== null) {
      await tx.accounts.updateAccount(id, { passwordHash: hash });
      await tx.mail(before.account, { template: "password-changed", username: usernameOf(before) });
    }
    await changeSelection(tx, before, change);
    const { permanentLevel, playersMax } = change;
    if (permanentLevel !== undefined) await tx.accounts.updateAccount(id, { permanentLevel });
    if (playersMax !== undefined) await tx.accounts.updateAccount(id, { playersMax });
    if (change.suspension !== undefined) await changeSuspension(tx, before, change.suspension);
    if (change.identity === null) await tx.identities.deleteIdentityOf(id);

    const after = await readProfile(tx, await settleRegistration(tx, id), tx.now);
    await keepAdministrator(tx, before, after);
    if (hash !== null || isMoved(before, after.account.mail)) {
      await tx.sessions.deleteSessionsOf(id, input.keptSession);
      await tx.codes.deleteCodesOf(id);
    }
    const detail = changedFacts(accountFacts(before), accountFacts(after));
    if (detail !== null) tx.audit("user.update", id, detail);
    return after;
  });
}

async function changeName(
  tx: Tx,
  { account, player }: Member,
  { username }: UserChange,
  rules: UpdateDeps["rules"],
): Promise<void> {
  if (username === undefined || username === player?.name) return;
  const name = parseUsername(username, rules.names.pattern);
  if (player === null) await addPlayer(tx, account, { name, uuid: null }, rules.players);
  else await renamePlayer(tx, player, name, rules.names);
}

async function changeMail(tx: Tx, before: Member, change: UserChange): Promise<void> {
  const { account } = before;
  const mail = change.mail === undefined ? account.mail : parseMail(change.mail);
  if (mail === null) {
    if (change.mailVerified !== true) return;
    throw refusals.noMailToVerify();
  }
  const isNew = isMoved(before, mail);
  const mailVerified = change.mailVerified ?? (account.mailVerified && !isNew);
  // Without a player the account is again what a stranger may have registered.
  const isTakenBack = account.mailVerified && !mailVerified && before.player === null;
  const registration = isTakenBack ? ({ registration: "unconfirmed" } as const) : {};
  await tx.accounts.updateAccount(account.id, { mail, mailVerified, ...registration });
  if (!isNew) return;
  await tx.mail(account, { template: "mail-changed", username: usernameOf(before), newMail: mail });
}

/** The same address in other capitals is the same address. */
function isMoved({ account }: Member, mail: string | null): boolean {
  return keyOf(account.mail) !== keyOf(mail);
}

function keyOf(mail: string | null): string | null {
  return mail === null ? null : mailKey(mail);
}

async function changeSelection(
  { players }: Tx,
  { player, skins }: Profile,
  { selectedSkin }: UserChange,
): Promise<void> {
  if (selectedSkin === undefined) return;
  const skin = selectedSkin === null ? null : skins.find(({ uuid }) => uuid === selectedSkin);
  if (skin === undefined) {
    throw refusals.notInUsersWardrobe(String(selectedSkin));
  }
  if (player !== null) await players.selectSkin(player.id, skin?.id ?? null);
}

/** What the audit compares of an account. The password's hash is never written. */
function accountFacts(profile: Profile): Facts {
  const { account, level, selectedSkin, identity } = profile;
  return {
    username: usernameOf(profile),
    mail: account.mail ?? "",
    mail_verify: account.mailVerified,
    selected_skin: selectedSkin?.uuid ?? "",
    password: account.passwordHash,
    perms: level,
    perms_permanent: account.permanentLevel,
    dsid: identity?.subject ?? "",
    players_max: account.playersMax,
  };
}

/**
 * Removes an account as `removeMember` does. Administrators may. Fails with not_found for an unknown
 * identifier and with conflict as `keepAdministrator` does.
 */
export async function deleteAccount(deps: DeletionDeps, actor: Actor, identifier: string): Promise<Member> {
  const { member, freed } = await deps.transact(actor, async (tx) => {
    const found = await findMember(tx.accounts, identifier);
    return { member: found, freed: await removeMember(deps, tx, found) };
  });
  await dropFiles(deps, freed);
  return member;
}
