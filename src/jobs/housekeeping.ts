import { removeLeaving } from "../domain/members/leave.ts";
import { expireSuspensions } from "../domain/members/suspend.ts";
import { expireTemporaryLevels } from "../domain/members/levels.ts";
import type { UnconfirmedPlace } from "../domain/ports/account-store.ts";
import { repairOfflineUuids } from "../domain/players/repair-offline-uuids.ts";
import { pruneEvents } from "../domain/events/prune-events.ts";
import { wrapSomeHashes } from "../domain/accounts/wrap-hashes.ts";
import { removeUnconfirmed } from "../domain/accounts/unconfirmed.ts";
import type { TokenActivity } from "../domain/services/token-activity.ts";
import type { SessionActivity } from "../domain/sessions/activity.ts";
import { codePurposes, codeSecondsOf } from "../domain/model/code.ts";
import { system } from "../domain/model/actor.ts";
import { firstDayShown } from "../domain/health/overview.ts";
import { finishBans } from "../domain/textures/ban-texture.ts";
import { deleteDropped, sweepFiles, sweepRows, sweptParts } from "../domain/textures/sweep.ts";
import type { TextureDeps } from "../domain/textures/files.ts";
import { seekWings } from "../domain/textures/seek-wings.ts";
import { expireGrants } from "../domain/members/grants.ts";
import type { Reads } from "../domain/ports/stores.ts";
import { limits } from "../kernel/limits.ts";
import type { AccountId, CapeId, PlayerId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/log.ts";
import { repeat } from "./repeat.ts";

type Deps = TextureDeps & { readonly reads: Reads } & Parameters<typeof removeLeaving>[0] &
  Parameters<typeof seekWings>[0] &
  Parameters<typeof wrapSomeHashes>[0] & {
    readonly log: Logger;
  };

type ActivityDeps = {
  readonly activity: SessionActivity;
  readonly tokenActivity: TokenActivity;
  readonly log: Logger;
};

/** An ended cape shows at most this long. A look costs two reads. */
const endMs = 2_000;
/** Each run holds the write lock briefly. After so many runs, the rest waits for the next time. */
const runsMax = 50;
const flushMs = 10_000;
const sweepMs = 60_000;
const bansMs = 60_000;
/** One of 256 parts at a time, so that all textures are swept in 43 minutes. */
const texturesMs = 10_000;
/** A page of files at a time, so that a million are swept in an hour; fewer are, too. */
const filesMs = 3_000;
const filesSeconds = 60 * 60;
/** Ten capes a run: some thousand capes in a quarter of an hour, in a thread beside requests. */
const wingsMs = 1_000;
/**
 * A page of players at a time, once a day: a node of the former release, which knows no offline ids, may
 * still serve.
 */
const offlineMs = 1_000;
const offlineSeconds = 24 * 60 * 60;
/** A batch of hashes at a time, as long as there are fast ones. An import brings new ones at any time. */
const wrapMs = 250;
const wrapSeconds = 60;

/** Writes when sessions and tokens were used here, until it is disposed of. Each node writes its own. */
export function startActivityRecords({ activity, tokenActivity, log }: ActivityDeps): AsyncDisposable {
  const jobs = [
    repeat(log, "session activity was not kept", flushMs, activity.flush),
    repeat(log, "uses of service tokens were not kept", flushMs, tokenActivity.flush),
  ];
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(jobs.map(({ stop }) => stop()));
      await Promise.all(jobs.map(({ now }) => now()));
    },
  };
}

/**
 * Ends temporary levels, suspensions and grants of capes, removes expired rows, unconfirmed accounts,
 * accounts whose owners asked for it and unused textures, finishes bans that a killed process left, searches
 * capes of earlier releases for wings, writes the offline ids that they left out, and wraps fast password
 * hashes, until it is disposed of. Only one node does it.
 */
export function startHousekeeping(deps: Deps): AsyncDisposable {
  const { log } = deps;
  const jobs = {
    end: repeat(log, "roles and capes were not ended", endMs, () => endWhatIsOver(deps)),
    sweep: repeat(log, "expired rows were not removed", sweepMs, () => removeExpired(deps)),
    unconfirmed: unconfirmedSweep(deps),
    leaving: repeat(log, "accounts whose owners asked for it were not deleted", sweepMs, () =>
      deleteLeaving(deps),
    ),
    events: repeat(log, "old events were not removed", sweepMs, () => pruneEvents(deps)),
    bans: repeat(log, "bans were not finished", bansMs, () => finishBans(deps)),
    textures: repeat(log, "unused textures were not removed", texturesMs, () => sweepSomeRows(deps)),
    files: fileSweep(deps),
    dropped: repeat(log, "dropped files were not deleted", sweepMs, () => deleteSomeFiles(deps)),
    wings: wingsSearch(deps),
    offlineIds: offlineIdRepair(deps),
    hashes: hashWrapping(deps),
  };
  for (const { now } of [jobs.end, jobs.sweep, jobs.unconfirmed, jobs.leaving, jobs.events, jobs.bans])
    void now();

  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(Object.values(jobs).map(({ stop }) => stop()));
    },
  };
}

/**
 * Each round continues where the last one stopped, so a round over a long list costs no more than over a
 * short one.
 */
function unconfirmedSweep(deps: Deps): ReturnType<typeof repeat> {
  let after: UnconfirmedPlace | null = null;
  return repeat(deps.log, "unconfirmed accounts were not removed", sweepMs, async () => {
    const { removed, next } = await removeUnconfirmed(deps, after);
    after = next;
    if (removed > 0) deps.log.info("accounts removed whose address was not confirmed", { accounts: removed });
  });
}

async function deleteLeaving(deps: Deps): Promise<void> {
  const { removed, kept } = await removeLeaving(deps);
  if (removed > 0) deps.log.info("accounts deleted as their owners asked", { accounts: removed });
  if (kept > 0) deps.log.warn("the last administrator's account was not deleted: its owner has to ask again");
}

/** Goes through the capes once and then stops: later capes are searched on upload. */
function wingsSearch(deps: Deps): ReturnType<typeof repeat> {
  let after: CapeId | null = null;
  let isDone = false;
  return repeat(deps.log, "capes were not searched for wings", wingsMs, async () => {
    if (isDone) return;
    const { searched, unreadable, last } = await seekWings(deps, after);
    isDone = last === null;
    after = last;
    if (searched > 0) deps.log.info("capes searched for wings", { capes: searched });
    for (const { uuid, texture } of unreadable)
      deps.log.warn("a cape was not searched for wings: its file is missing or damaged", {
        cape: uuid,
        texture: texture.hash,
      });
  });
}

function offlineIdRepair(deps: Deps): ReturnType<typeof repeat> {
  let after: PlayerId | null = null;
  let beginsAt = 0;
  return repeat(deps.log, "offline ids were not written", offlineMs, async () => {
    const now = deps.clock.steadySeconds();
    if (after === null && now < beginsAt) return;
    if (after === null) beginsAt = now + offlineSeconds;
    const { written, next } = await repairOfflineUuids(deps, after);
    after = next;
    if (written > 0) deps.log.info("offline ids written", { players: written });
  });
}

/** Goes through all hashes of other systems, and begins again a minute after its start. */
function hashWrapping(deps: Deps): ReturnType<typeof repeat> {
  let after: AccountId | null = null;
  let beginsAt = 0;
  let isUnderway = false;
  let hashes = 0;
  return repeat(deps.log, "password hashes of other systems were not wrapped", wrapMs, async () => {
    const now = deps.clock.steadySeconds();
    if (!isUnderway && now < beginsAt) return;
    if (!isUnderway) beginsAt = now + wrapSeconds;
    const { wrapped, last, isThrough } = await wrapSomeHashes(deps, after);
    hashes += wrapped;
    isUnderway = !isThrough;
    after = isThrough ? null : last;
    if (isUnderway || hashes === 0) return;
    deps.log.info("password hashes of other systems wrapped", { hashes });
    hashes = 0;
  });
}

/** The clock chooses the part, so a server that restarts often also sweeps all parts. */
async function sweepSomeRows(deps: Deps): Promise<void> {
  const turn = Math.floor(deps.clock.nowSeconds() / (texturesMs / 1000));
  const removed = await sweepRows(deps, sweptParts[turn % sweptParts.length] ?? "00");
  if (removed > 0) deps.log.info("unused textures removed", { textures: removed });
}

/** Goes through all files, a page at a time, and begins again an hour after its start. */
function fileSweep(deps: Deps): ReturnType<typeof repeat> {
  let after: string | null = null;
  let beginsAt = 0;
  return repeat(deps.log, "files without a row were not removed", filesMs, async () => {
    const now = deps.clock.steadySeconds();
    if (after === null && now < beginsAt) return;
    if (after === null) beginsAt = now + filesSeconds;
    const { removed, next } = await sweepFiles(deps, after);
    after = next;
    if (removed > 0) deps.log.info("files without a row removed", { files: removed });
  });
}

async function deleteSomeFiles(deps: Deps): Promise<void> {
  const deleted = await deleteDropped(deps);
  if (deleted > 0) deps.log.info("files of removed textures deleted", { files: deleted });
}

async function endWhatIsOver(deps: Deps): Promise<void> {
  for (let run = 0; run < runsMax; run++) {
    const ended =
      (await expireTemporaryLevels(deps)) + (await expireGrants(deps)) + (await expireSuspensions(deps));
    if (ended === 0) return;
  }
}

/**
 * Removes expired sessions, codes, held names and pending social logins, and counts of days that are not
 * shown any more; every use checks the time as well. Sessions and codes from before the clock was set back go
 * too: otherwise they would be valid again once the clock catches up.
 */
async function removeExpired({ transact }: Deps): Promise<void> {
  await transact(system, async ({ sessions, codes, players, identities, days, now }) => {
    const ahead = now + limits.clockStepSeconds;
    await sessions.deleteExpiredSessions(now, ahead);
    for (const purpose of codePurposes)
      await codes.deleteExpiredCodes(purpose, now, ahead + codeSecondsOf(purpose));
    await players.deleteExpiredHolds(now);
    await identities.deleteExpiredPending(now);
    await days.deleteDays(firstDayShown(now));
  });
}
