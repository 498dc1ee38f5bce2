import type { AccountId, TextureHash, Uuid } from "../../kernel/ids.ts";
import { newUuid } from "../../kernel/ids.ts";
import { claimMail } from "../accounts/unconfirmed.ts";
import type { Decided, PlannedAccount, PlannedPlayer } from "../model/import-plan.ts";
import { mailKey } from "../model/mail-address.ts";
import type { Rules } from "../model/rules.ts";
import { nameKey } from "../model/username.ts";
import type { Tx } from "../ports/unit-of-work.ts";
import { withNumber } from "./numbered-names.ts";

/** What was decided otherwise than in the plan, because others took it meanwhile. */
export type Deviation = Omit<Decided, "n">;

/** What of a batch still comes. */
export type Rechecked = {
  readonly accounts: readonly PlannedAccount[];
  readonly deviations: readonly Deviation[];
};

/** The last number that is tried for a player whose name somebody took meanwhile. */
const numberMax = 40;

/**
 * Within the transaction that writes them: what of planned accounts is still free here. People who took a
 * name, an address, a uuid or an identity since the plan was made keep it, and a bitmap that was banned since
 * does not come. An address of an account that has not confirmed it goes to the person who has.
 */
export async function recheck(
  tx: Tx,
  planned: readonly PlannedAccount[],
  rules: Pick<Rules, "names">,
): Promise<Rechecked> {
  const deviations: Deviation[] = [];
  const tell: Tell = (deviation) => void deviations.push({ to: null, ...deviation });
  const taken = await takenHere(tx, planned);
  const accounts: PlannedAccount[] = [];
  for (const one of planned) {
    const own = await withFreeMail(tx, taken, tell, withFreeUuids(taken, tell, one));
    accounts.push(withoutBanned(taken, tell, await withFreeNames(tx, { taken, tell, rules }, own)));
  }
  return { accounts, deviations };
}

type Tell = (deviation: Omit<Deviation, "to"> & Partial<Pick<Deviation, "to">>) => void;

/** Whose things are here that a batch brings; a thing of several accounts is each one's. */
type Taken = {
  readonly names: ReadonlyMap<string, ReadonlySet<AccountId>>;
  /** The names that the batch itself brings, and a further one. */
  readonly coming: { readonly has: (key: string) => boolean; readonly take: (key: string) => void };
  readonly mails: ReadonlyMap<string, { readonly account: AccountId; readonly isOwned: boolean }>;
  readonly uuids: ReadonlyMap<Uuid, ReadonlySet<AccountId>>;
  readonly people: ReadonlyMap<string, AccountId>;
  readonly banned: ReadonlySet<TextureHash>;
};

async function takenHere({ imports }: Tx, planned: readonly PlannedAccount[]): Promise<Taken> {
  const names = planned.flatMap(({ players, aliases }) =>
    [...players.map(({ name }) => name), ...aliases].map(nameKey),
  );
  const mails = planned.flatMap(({ account }) => account?.mail ?? []);
  const uuids = planned.flatMap(({ players, account, id }) => [
    ...players.map(({ uuid }) => uuid),
    ...(account === null || id !== null ? [] : [account.uuid]),
  ]);
  const people = planned.flatMap(({ identity }) => identity ?? []);
  const hashes = planned.flatMap(({ skins }) => skins.flatMap(({ texture }) => texture ?? []));
  const ofUuids = await imports.takenUuids(uuids);
  const coming = new Set(names);
  return {
    names: whose((await imports.takenNames(names)).map(({ key, account }) => [key, account])),
    coming: { has: (key) => coming.has(key), take: (key) => void coming.add(key) },
    mails: new Map((await imports.takenMails(mails.map(mailKey))).map(({ key, ...one }) => [key, one])),
    uuids: whose(ofUuids.map(({ uuid, account }) => [uuid, account])),
    people: new Map(
      people.length === 0
        ? []
        : (await imports.takenIdentities(people)).map((one) => [personKey(one), one.account]),
    ),
    banned: hashes.length === 0 ? new Set() : await imports.bannedTextures([...new Set(hashes)]),
  };
}

function whose<Key>(rows: readonly (readonly [Key, AccountId])[]): Map<Key, Set<AccountId>> {
  const all = new Map<Key, Set<AccountId>>();
  for (const [key, account] of rows) all.set(key, (all.get(key) ?? new Set()).add(account));
  return all;
}

const personKey = ({ issuer, subject }: { readonly issuer: string; readonly subject: string }) =>
  `${issuer}\n${subject}`;

/** Whether somebody else has it. */
function isOthers(owners: ReadonlySet<AccountId> | undefined, own: AccountId | null): boolean {
  return owners !== undefined && [...owners].some((owner) => owner !== own);
}

function withFreeUuids({ uuids, people }: Taken, tell: Tell, planned: PlannedAccount): PlannedAccount {
  const { id, account, identity } = planned;
  const players = planned.players.filter(({ id: here, uuid, key, name }) => {
    const isFree = here !== null || !isOthers(uuids.get(uuid), id);
    if (!isFree) tell({ ...skipped("player", key, "another account got its UUID"), from: name });
    return isFree;
  });
  const isTaken = id === null && account !== null && uuids.has(account.uuid);
  const owner = identity === null ? undefined : people.get(personKey(identity));
  const isLinked = owner !== undefined && owner !== id;
  if (isLinked) tell({ ...skipped("identity", planned.key, "another account was linked to it"), from: null });
  return {
    ...planned,
    players,
    account: isTaken ? { ...account, uuid: newUuid() } : account,
    identity: isLinked ? null : identity,
  };
}

async function withFreeMail(
  tx: Tx,
  { mails }: Taken,
  tell: Tell,
  planned: PlannedAccount,
): Promise<PlannedAccount> {
  const { account, id, key } = planned;
  if (account === null || account.mail === null) return planned;
  const { mail, mailVerified } = account;
  const owner = mails.get(mailKey(mail));
  if (owner === undefined || owner.account === id) return planned;
  if (!owner.isOwned && mailVerified) {
    await claimMail(tx.accounts, mail);
    return planned;
  }
  const reason = "another account got its address here meanwhile: it comes without";
  tell({ source: key, kind: "account", decision: "merge", reason, from: mail });
  return { ...planned, account: { ...account, mail: null, mailVerified: false } };
}

type Naming = { readonly taken: Taken; readonly tell: Tell; readonly rules: Pick<Rules, "names"> };

async function withFreeNames(tx: Tx, naming: Naming, planned: PlannedAccount): Promise<PlannedAccount> {
  const { taken, tell } = naming;
  const isTaken = (name: string) => isOthers(taken.names.get(nameKey(name)), planned.id);
  const aliases = planned.aliases.filter((name) => {
    if (isTaken(name))
      tell({ ...skipped("account", planned.key, "another account got this name"), from: name });
    return !isTaken(name);
  });
  const players: PlannedPlayer[] = [];
  for (const player of planned.players) {
    if (!isTaken(player.name)) {
      players.push(player);
      continue;
    }
    const { key: source, name: from } = player;
    const to = await freeName(tx, naming, from);
    if (to === null) {
      tell({ ...skipped("player", source, "another account got its name"), from });
      continue;
    }
    const reason = "another account got its name here meanwhile";
    tell({ source, kind: "player", decision: "rename", reason, from, to });
    players.push({ ...player, name: to });
  }
  return { ...planned, aliases, players };
}

/** The name with a number that is free, also in this batch; null where all that were tried are taken. */
async function freeName({ imports }: Tx, { taken, rules }: Naming, name: string): Promise<string | null> {
  const candidates: string[] = [];
  for (let number = 2; number <= numberMax; number++) {
    const one = withNumber(name, number, rules.names.pattern);
    if (one !== null) candidates.push(one);
  }
  const others = new Set((await imports.takenNames(candidates.map(nameKey))).map(({ key }) => key));
  const free = candidates.find((one) => !others.has(nameKey(one)) && !taken.coming.has(nameKey(one)));
  if (free === undefined) return null;
  taken.coming.take(nameKey(free));
  return free;
}

/** Of a record that does not come. */
function skipped(kind: Deviation["kind"], source: string, why: string) {
  return { source, kind, decision: "skip", reason: `${why} here meanwhile` } as const;
}

function withoutBanned({ banned }: Taken, tell: Tell, planned: PlannedAccount): PlannedAccount {
  const gone = new Set<string>();
  const skins = planned.skins.filter(({ key, texture, name }) => {
    if (texture === null || !banned.has(texture)) return true;
    tell({ ...skipped("skin", key, "its picture was banned"), from: name });
    gone.add(key);
    return false;
  });
  if (gone.size === 0) return planned;
  const players = planned.players.map((player) =>
    player.skin !== null && gone.has(player.skin) ? { ...player, skin: null } : player,
  );
  return { ...planned, skins, players };
}
