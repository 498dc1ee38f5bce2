import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Cape, GrantedCape } from "../model/texture.ts";
import type { CapeKey, ListedAccount } from "../ports/texture-store.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { refuseUnknown, revokeCapes } from "../textures/capes.ts";
import { changeGrants, findKnownCape } from "./grants.ts";

/** Accounts that lose a cape before it yields to the event loop, some 10 ms. */
const takenAtOnce = 20;

type Deps = { readonly transact: Transact };

/** Whom a step concerns: some accounts; everybody, as far as there is an account now; or those that hold another cape. */
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
 * Gives a cape to up to `limits.ownersChangedMax` people that do not hold it, until `expiresAt` (Unix seconds, in the future; null: without
 * end). A grant that is there keeps its end. One that is cut off can be begun again: those that have the cape by then are passed over.
 * Administrators may. Writes audit: for each listed account, else once for all of the step. Fails with not_found for an unknown cape and
 * with invalid for unknown accounts and an unknown other cape, when nothing is changed.
 */
export function giveCapeToMany(
  deps: Deps,
  actor: Actor,
  { expiresAt, ...step }: Step & { readonly expiresAt: number | null },
): Promise<StepResult> {
  const { people, after } = step;
  return deps.transact(actor, async (tx) => {
    const cape = await findKnownCape(tx, step.cape);
    if (people.kind === "accounts") {
      const given = { ...cape, grantExpiresAt: expiresAt };
      const { accounts } = people;
      return changeListed(tx, { cape, accounts, isHeld: false }, (held) => [...held, given]);
    }
    const part = { after, rows: limits.ownersChangedMax };
    const of = people.kind === "owners" ? await findOther(tx, people.of) : null;
    const among = of === null ? null : { cape: of.id, now: tx.now };
    const found = await tx.textures.listNonOwners(cape.id, among, part);
    const accounts = found.map(({ accountId }) => accountId);
    if (accounts.length > 0) {
      await tx.textures.grantCapes({ accounts, capes: [cape.id], grantedAt: tx.now, expiresAt });
      const end = expiresAt === null ? {} : { expired_at: expiresAt };
      tx.audit("cape.give", null, { new: { ...stepFacts(cape, of, accounts), ...end } });
    }
    return stepResult(tx, cape, found);
  });
}

/**
 * Takes a cape from up to `limits.ownersChangedMax` people that hold it, and off their skins and players. Administrators may. Writes audit
 * and fails as `giveCapeToMany` does.
 */
export function takeCapeFromMany(deps: Deps, actor: Actor, step: Step): Promise<StepResult> {
  const { people, after } = step;
  return deps.transact(actor, async (tx) => {
    const cape = await findKnownCape(tx, step.cape);
    if (people.kind === "accounts") {
      const { accounts } = people;
      const without = (held: readonly GrantedCape[]) => held.filter(({ id }) => id !== cape.id);
      return changeListed(tx, { cape, accounts, isHeld: true }, without);
    }
    const part = { after, rows: limits.ownersChangedMax };
    const of = people.kind === "owners" ? await findOther(tx, people.of) : null;
    const found = await tx.textures.listOwners(cape.id, of?.id ?? null, part);
    const accounts = found.map(({ accountId }) => accountId);
    for (const [index, account] of accounts.entries()) {
      // Requests that only read come in between.
      if (index % takenAtOnce === 0) await yieldToEventLoop();
      await revokeCapes(tx.textures, account, [cape.id]);
    }
    if (accounts.length > 0) tx.audit("cape.take", null, { old: stepFacts(cape, of, accounts) });
    return stepResult(tx, cape, found);
  });
}

async function findOther(tx: Tx, key: CapeKey): Promise<Cape> {
  const other = await tx.textures.findCape(key);
  if (other !== null) return other;
  throw new AppError("invalid", `there is no cape ${key.value}`, { field: "who" });
}

type Listed = {
  readonly cape: Cape;
  readonly accounts: readonly AccountId[];
  /** Whether those that hold the cape are changed, or those that do not. */
  readonly isHeld: boolean;
};

async function changeListed(
  tx: Tx,
  listed: Listed,
  change: (held: readonly GrantedCape[]) => readonly GrantedCape[],
): Promise<StepResult> {
  const { cape } = listed;
  refuseUnknown("who", "user", await tx.accounts.listUnknown(listed.accounts));
  const changed = await Array.fromAsync(findConcerned(tx, listed));
  for (const account of changed) await changeGrants(tx, account, change);
  return { changed: changed.length, next: null, owners: await tx.textures.countOwners(cape.id) };
}

async function* findConcerned(tx: Tx, { cape, accounts, isHeld }: Listed): AsyncIterable<AccountId> {
  for (const account of new Set(accounts)) {
    const held = await tx.textures.listGrantedCapes(account, tx.now);
    if (held.some(({ id }) => id === cape.id) === isHeld) yield account;
  }
}

async function stepResult(tx: Tx, cape: Cape, found: readonly ListedAccount[]): Promise<StepResult> {
  const isLast = found.length < limits.ownersChangedMax;
  const next = isLast ? null : (found.at(-1)?.place ?? null);
  return { changed: found.length, next, owners: await tx.textures.countOwners(cape.id) };
}

/** What the audit says of a step, in the words of the API. */
function stepFacts({ uuid, id, name }: Cape, of: Cape | null, accounts: readonly AccountId[]) {
  return { capeid: uuid, id, name, owners_of: of === null ? "everybody" : of.uuid, users: accounts };
}
