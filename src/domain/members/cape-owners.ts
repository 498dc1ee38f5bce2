import { refusals } from "../model/refusals.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Cape } from "../model/texture.ts";
import type { CapeKey, ListedAccount } from "../ports/texture-store.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { capeFacts, refuseUnknown, revokeCapes } from "../textures/capes.ts";
import { endGrant, findKnownCape } from "./grants.ts";

type Deps = { readonly transact: Transact };

/**
 * Whom a step concerns: some accounts; everybody, as far as there is an account now; or those that hold
 * another cape.
 */
export type People =
  | { readonly kind: "accounts"; readonly accounts: readonly AccountId[] }
  | { readonly kind: "everybody" }
  | { readonly kind: "owners"; readonly of: CapeKey };

type Step = {
  readonly cape: CapeKey;
  readonly people: People;
  /** The `next` of the step before; null: the first one. Listed accounts have one step. */
  readonly after: number | null;
};

/** What a step did. */
export type StepResult = {
  /** How many accounts were given the cape, or had it taken. */
  readonly changed: number;
  /** Where the next step begins; null: this was the last one. */
  readonly next: number | null;
  /** How many may wear the cape now. */
  readonly owners: number;
};

/**
 * Gives a cape to up to `limits.ownersChangedMax` people that do not hold it, until `expiresAt` (Unix
 * seconds, in the future; null: without end). A grant that is there keeps its end. One that is cut off can be
 * begun again: those that have the cape by then are passed over. Administrators may. Writes audit: for each
 * listed account, else once for all of the step. Fails with not_found for an unknown cape and with invalid
 * for unknown accounts and an unknown other cape, when nothing is changed.
 */
export function giveCapeToMany(
  deps: Deps,
  actor: Actor,
  { expiresAt, ...step }: Step & { readonly expiresAt: number | null },
): Promise<StepResult> {
  return deps.transact(actor, async (tx) => {
    const cape = await findKnownCape(tx, step.cape);
    const found = await findNonOwners(tx, cape, step);
    const { accounts } = found;
    await tx.textures.grantCapes({ accounts, capes: [cape.id], grantedAt: tx.now, expiresAt });
    const end = expiresAt === null ? {} : { expired_at: expiresAt };
    const given = { ...capeFacts(cape), ...end };
    if (step.people.kind === "accounts") {
      for (const account of accounts) tx.audit("cape.grant", account, { new: given });
    } else if (accounts.length > 0) {
      tx.audit("cape.give", null, { new: { ...given, ...peopleFacts(found) } });
    }
    return stepResult(tx, cape, found);
  });
}

/**
 * Takes a cape from up to `limits.ownersChangedMax` people that hold it, and off their skins and players.
 * Administrators may. Writes audit and fails as `giveCapeToMany` does.
 */
export function takeCapeFromMany(deps: Deps, actor: Actor, step: Step): Promise<StepResult> {
  return deps.transact(actor, async (tx) => {
    const cape = await findKnownCape(tx, step.cape);
    const found = await findOwners(tx, cape, step);
    const { accounts } = found;
    await revokeCapes(tx.textures, accounts, [cape.id]);
    const taken = capeFacts(cape);
    if (step.people.kind === "accounts") {
      for (const account of accounts) tx.audit("cape.grant", account, { old: taken });
    } else if (accounts.length > 0) {
      tx.audit("cape.take", null, { old: { ...taken, ...peopleFacts(found) } });
    }
    return stepResult(tx, cape, found);
  });
}

/** The people that a step changes. */
type Found = {
  readonly accounts: readonly AccountId[];
  /** The cape whose owners are meant; null: another kind of people. */
  readonly of: Cape | null;
  readonly next: number | null;
};

async function findNonOwners(tx: Tx, cape: Cape, { people, after }: Step): Promise<Found> {
  if (people.kind === "accounts") {
    const listed = new Set(people.accounts);
    for (const { accountId, expiresAt } of await findListedOwners(tx, cape, people.accounts)) {
      // The job that takes ended grants away was not there yet.
      if (expiresAt !== null && expiresAt <= tx.now) await endGrant(tx, { accountId, cape, expiresAt });
      else listed.delete(accountId);
    }
    return { accounts: [...listed], of: null, next: null };
  }
  const of = people.kind === "owners" ? await findOther(tx, people.of) : null;
  const among = of === null ? null : { cape: of.id, now: tx.now };
  return partOf(
    of,
    await tx.textures.listNonOwners(cape.id, among, { after, rows: limits.ownersChangedMax }),
  );
}

async function findOwners(tx: Tx, cape: Cape, { people, after }: Step): Promise<Found> {
  if (people.kind === "accounts") {
    const owners = await findListedOwners(tx, cape, people.accounts);
    return { accounts: owners.map(({ accountId }) => accountId), of: null, next: null };
  }
  const of = people.kind === "owners" ? await findOther(tx, people.of) : null;
  const part = { after, rows: limits.ownersChangedMax };
  return partOf(of, await tx.textures.listOwners(cape.id, of?.id ?? null, part));
}

async function findListedOwners(tx: Tx, cape: Cape, accounts: readonly AccountId[]) {
  refuseUnknown("who", "user", await tx.accounts.listUnknown(accounts));
  return tx.textures.listOwnersAmong(cape.id, accounts);
}

async function findOther(tx: Tx, key: CapeKey): Promise<Cape> {
  const other = await tx.textures.findCape(key);
  if (other !== null) return other;
  throw refusals.unknownNamedCape(key.value);
}

function partOf(of: Cape | null, found: readonly ListedAccount[]): Found {
  const isLast = found.length < limits.ownersChangedMax;
  const next = isLast ? null : (found.at(-1)?.place ?? null);
  return { accounts: found.map(({ accountId }) => accountId), of, next };
}

async function stepResult(tx: Tx, cape: Cape, { accounts, next }: Found): Promise<StepResult> {
  return { changed: accounts.length, next, owners: await tx.textures.countOwners(cape.id) };
}

/** The people of a step that has one entry for all of them. */
function peopleFacts({ accounts, of }: Found) {
  return { owners_of: of === null ? "everybody" : of.uuid, users: accounts };
}
