import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Clock } from "../../kernel/clock.ts";
import type { AccountId, CapeId } from "../../kernel/ids.ts";
import { changedFacts } from "../model/audit-facts.ts";
import { refusals } from "../model/refusals.ts";
import type { Member } from "../model/account.ts";
import { findMember } from "../accounts/identifier.ts";
import { system } from "../model/actor.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { capeFacts, refuseUnknown, revokeCapes } from "../textures/capes.ts";
import type { CapeKey, EndedGrant, TextureReads } from "../ports/texture-store.ts";
import type { Cape, GrantedCape } from "../model/texture.ts";

type Deps = { readonly transact: Transact };

/** An account with all capes that it may wear. */
type Holder = { readonly member: Member; readonly capes: readonly GrantedCape[] };

/** A cape, and until when it is granted: Unix seconds, in the future; null: without end. */
export type WantedGrant = { readonly cape: CapeKey; readonly expiresAt: number | null };

/**
 * Makes these capes all that the account may wear, each until its own end. What is not among them is taken
 * away, and off the account's skins and players. Administrators may. Writes audit unless nothing changed.
 * Fails with not_found for an unknown account and with invalid for unknown capes, when nothing is changed.
 */
export async function setCapes(
  deps: Deps,
  actor: Actor,
  input: {
    readonly account: AccountId;
    /** Of a cape that comes twice the last one counts. */
    readonly grants: readonly WantedGrant[];
  },
): Promise<Holder> {
  const { account, grants } = input;
  return deps.transact(actor, async (tx) => {
    const member = await findMember(tx.accounts, account);
    const found = await findAll(
      tx.textures,
      grants.map(({ cape }) => cape),
    );
    // Reading ten thousand capes takes some 50 ms, and so does writing them; requests that only read come in
    // between.
    await yieldToEventLoop();
    const numbers = new Map<string | number, CapeId>(
      found.flatMap(({ id, uuid }) => [
        [id, id],
        [uuid, id],
      ]),
    );
    const ends = new Map(grants.map(({ cape, expiresAt }) => [numbers.get(cape.value), expiresAt]));
    const capes = found.map((cape) => ({ ...cape, grantExpiresAt: ends.get(cape.id) ?? null }));
    return { member, capes: await changeGrants(tx, account, () => capes) };
  });
}

/** A cape, and accounts to grant it to or to take it from; one that comes twice counts once. */
type CapeOwners = { readonly cape: CapeKey; readonly accounts: readonly AccountId[] };

/**
 * Grants a cape to each of these accounts, beside what they hold, until `expiresAt` (Unix seconds, in the
 * future; null: without end). An earlier grant of the cape then ends at this time, too. Administrators may.
 * Writes audit for each account whose grants changed. Fails with not_found for an unknown cape.
 */
export function grantCape(
  deps: Deps,
  actor: Actor,
  { expiresAt, ...owners }: CapeOwners & { readonly expiresAt: number | null },
): Promise<Cape> {
  return changeOwners(deps, actor, owners, withCape(expiresAt));
}

/**
 * Takes a cape from each of these accounts, and off their skins. Administrators may. Writes audit for each
 * account that held it. Fails with not_found for an unknown cape.
 */
export function revokeCape(deps: Deps, actor: Actor, owners: CapeOwners): Promise<Cape> {
  return changeOwners(deps, actor, owners, without);
}

/** One cape, and the account to grant it to or to take it from. */
type CapeOwner = { readonly cape: CapeKey; readonly account: AccountId };

/**
 * Grants a cape to one account as `grantCape` does, and returns all capes that the account may wear then.
 * Services may, too. Writes audit unless nothing changed. Fails with not_found for an unknown account and for
 * an unknown cape.
 */
export function giveCape(
  deps: Deps,
  actor: Actor,
  { expiresAt, ...owner }: CapeOwner & { readonly expiresAt: number | null },
): Promise<Holder> {
  return changeOwner(deps, actor, owner, withCape(expiresAt));
}

/**
 * Takes a cape from one account as `revokeCape` does, and returns all capes that the account may wear then.
 * An account without the cape stays as it is. Services may, too. Writes audit unless nothing changed. Fails
 * with not_found for an unknown account and for an unknown cape.
 */
export function takeCape(deps: Deps, actor: Actor, owner: CapeOwner): Promise<Holder> {
  return changeOwner(deps, actor, owner, without);
}

function changeOwner(deps: Deps, actor: Actor, owner: CapeOwner, change: GrantChange): Promise<Holder> {
  return deps.transact(actor, async (tx) => {
    const member = await findMember(tx.accounts, owner.account);
    const cape = await findKnownCape(tx, owner.cape);
    return { member, capes: await changeGrants(tx, owner.account, (held) => change(held, cape)) };
  });
}

/** What becomes of an account's grants. */
type GrantChange = (held: readonly GrantedCape[], cape: Cape) => readonly GrantedCape[];

function withCape(expiresAt: number | null): GrantChange {
  return (held, cape) =>
    [...without(held, cape), { ...cape, grantExpiresAt: expiresAt }].toSorted((one, two) => one.id - two.id);
}

function without(held: readonly GrantedCape[], { id }: Cape): readonly GrantedCape[] {
  return held.filter((cape) => cape.id !== id);
}

async function changeOwners(
  deps: Deps,
  actor: Actor,
  { cape: key, accounts }: CapeOwners,
  change: GrantChange,
): Promise<Cape> {
  return deps.transact(actor, async (tx) => {
    const cape = await findKnownCape(tx, key);
    for (const account of new Set(accounts)) await changeGrants(tx, account, (held) => change(held, cape));
    return cape;
  });
}

/** Fails with not_found. */
export async function findKnownCape({ textures }: Tx, key: CapeKey): Promise<Cape> {
  const cape = await textures.findCape(key);
  if (cape === null) throw refusals.unknownCape(key.value);
  return cape;
}

/**
 * Within a transaction: replaces an account's grants by what `change` makes of them, which it returns. Writes
 * audit unless nothing changed.
 */
async function changeGrants(
  tx: Tx,
  account: AccountId,
  change: (held: readonly GrantedCape[]) => readonly GrantedCape[],
): Promise<readonly GrantedCape[]> {
  const { textures, now } = tx;
  const before = await listHeld(tx, account);
  const after = change(before);
  await yieldToEventLoop();
  const kept = new Set(after.map(({ id }) => id));
  await revokeCapes(
    textures,
    [account],
    before.map(({ id }) => id).filter((id) => !kept.has(id)),
  );
  const ends = new Map(before.map(({ id, grantExpiresAt }) => [id, grantExpiresAt]));
  const changed = after.filter(({ id, grantExpiresAt }) => ends.get(id) !== grantExpiresAt);
  for (const [expiresAt, capes] of Map.groupBy(changed, ({ grantExpiresAt }) => grantExpiresAt)) {
    const granted = capes.map(({ id }) => id);
    await textures.grantCapes({ accounts: [account], capes: granted, grantedAt: now, expiresAt });
  }
  const detail = changedFacts({ cape: grantFacts(before) }, { cape: grantFacts(after) });
  if (detail !== null) tx.audit("cape.grant", account, detail);
  return after;
}

async function findAll(textures: TextureReads, keys: readonly CapeKey[]): Promise<readonly Cape[]> {
  const capes = await textures.findCapes(keys);
  const known = new Set<string | number>(capes.flatMap(({ id, uuid }) => [id, uuid]));
  const unknown = new Set(keys.map(({ value }) => value).filter((value) => !known.has(value)));
  refuseUnknown("cape", "cape", [...unknown]);
  return capes;
}

/** Grants as the audit lists them: numbers alone, because there may be many. */
function grantFacts(capes: readonly GrantedCape[]) {
  return capes.map(({ id, grantExpiresAt }) => ({ Id: id, Expires_at: grantExpiresAt }));
}

/** Grants that are ended in one transaction, some 50 ms of the write lock; the next run goes on. */
const endedAtOnceMax = 500;

/**
 * Takes away the grants whose time has come, with the capes off their owners' skins, and returns how many.
 * Until then no owner can put such a cape on, but it still shows where it was worn. Writes audit, as
 * `system`.
 */
export async function expireGrants(
  deps: Deps & { readonly reads: Reads; readonly clock: Clock },
): Promise<number> {
  const now = deps.clock.nowSeconds();
  // Mostly nothing has ended, which a read shows without the write lock.
  if ((await deps.reads.textures.listEndedGrants(now, 1)).length === 0) return 0;
  return deps.transact(system, async (tx) => {
    const ended = await tx.textures.listEndedGrants(tx.now, endedAtOnceMax);
    for (const grant of ended) await endGrant(tx, grant);
    return ended.length;
  });
}

/** Within a transaction: takes a grant away whose time has come. Writes audit, as `system`. */
export async function endGrant({ textures, audit }: Tx, grant: EndedGrant): Promise<void> {
  const { accountId, cape, expiresAt } = grant;
  await revokeCapes(textures, [accountId], [cape.id]);
  const old = { ...capeFacts(cape), expired_at: expiresAt };
  audit("cape.expire", accountId, { old }, system);
}

/**
 * The capes that the account may wear. Grants that ended meanwhile are taken away first, as the job would do.
 */
async function listHeld(tx: Tx, accountId: AccountId): Promise<readonly GrantedCape[]> {
  const held: GrantedCape[] = [];
  for (const cape of await tx.textures.listGrantedCapes(accountId, everyGrant)) {
    const { grantExpiresAt: expiresAt } = cape;
    if (expiresAt === null || expiresAt > tx.now) held.push(cape);
    else await endGrant(tx, { accountId, cape, expiresAt });
  }
  return held;
}

/** At this time no grant had ended. */
const everyGrant = 0;
