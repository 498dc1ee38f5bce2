/** A community on PostgreSQL. Loaded only where the settings name one. */
import { setTimeout as pause } from "node:timers/promises";
import { describeAddress } from "../adapters/postgres/connections/address.ts";
import { shareAttempts } from "../adapters/postgres/cluster/attempt-counts.ts";
import { copyBulkMails } from "../adapters/postgres/cluster/bulk-copying.ts";
import { shareCallGate } from "../adapters/postgres/cluster/call-gate.ts";
import { pruneChanges } from "../adapters/postgres/feed/change-feed.ts";
import { foldCounts } from "../adapters/postgres/cluster/counts.ts";
import { beat, beatMs } from "../adapters/postgres/connections/replica.ts";
import { openPostgres, type PostgresDatabase } from "../adapters/postgres/database.ts";
import { removeEnded } from "../adapters/postgres/cluster/ended-rows.ts";
import { numberEvents } from "../adapters/postgres/feed/event-numbers.ts";
import { shareJoins } from "../adapters/postgres/cluster/joins.ts";
import { refuseNewerMark } from "../adapters/postgres/schema-mark.ts";
import { openKeyRows } from "../adapters/postgres/cluster/key-rows.ts";
import { openLeadership } from "../adapters/postgres/cluster/leadership.ts";
import { leaseOf } from "../adapters/postgres/cluster/lease.ts";
import { requireSecret } from "../adapters/postgres/cluster/marks.ts";
import { migratePostgres, type MigrationReport } from "../adapters/postgres/migrate.ts";
import { migrations } from "../adapters/postgres/migrations.ts";
import { refuseMoving } from "../adapters/postgres/move/moving.ts";
import {
  enterNodes,
  listNodes,
  pruneNodes,
  type Node,
  type NodeRules,
  type NodeTable,
} from "../adapters/postgres/cluster/nodes.ts";
import { shareOnce } from "../adapters/postgres/cluster/once.ts";
import { poolerRemedy, poolerWords, sharesConnections } from "../adapters/postgres/connections/poolers.ts";
import { readStandbys } from "../adapters/postgres/connections/standbys.ts";
import { keepTimelines, recallTimelines } from "../adapters/postgres/connections/timelines.ts";
import { rotateSecret } from "../adapters/postgres/cluster/rotate-secret.ts";
import { unusable } from "../adapters/postgres/connections/work-session.ts";
import { createGateMemory, openGate } from "../domain/game/call-gates.ts";
import { lanePauseMs } from "../domain/game/password-throttle.ts";
import type { Leadership, Upkeep } from "../domain/ports/leadership.ts";
import { AppError } from "../kernel/errors.ts";
import { newUuid } from "../kernel/ids.ts";
import { createLogger, type Logger } from "../kernel/log.ts";
import type { Config } from "./config.ts";
import type { DatabaseSetting } from "./config/storage-settings.ts";
import type { EngineOptions, OpenedEngine, Serving } from "./engines.ts";
import { refuseOtherUrl, watchSettings, type SettingsWatch } from "./node-settings.ts";
import { enter, type Entrance } from "./enter-nodes.ts";
import { fingerprintOf, keyedHash, type Secret } from "./secrets.ts";
import type { SharedState } from "./shared-state.ts";
import { version } from "./version.ts";

/** How long a server waits for a database that is not there yet. */
const waitSeconds = 60;
const pauseMs = 1000;

/**
 * Opens the database of the settings, bringing it up to date first. A server waits for it for a minute, and
 * says so.
 */
export async function openPostgresEngine(
  config: Config,
  setting: DatabaseSetting,
  { clock, rerun, serving }: EngineOptions,
): Promise<OpenedEngine> {
  await using opened = new AsyncDisposableStack();
  const { address, jwtSecret } = setting;
  if (serving === null) recallTimelines(setting.timelineFile);
  else keepTimelines(setting.timelineFile);
  const log = serving?.log ?? silent;
  const migrated = await migrate(setting, serving);
  const nodeName = serving?.node ?? "command";
  const database = opened.use(
    await openPostgres({ setting, nodeName, clock: clock ?? undefined, rerun, log }).catch(
      (error: unknown) => {
        const isAway = error instanceof AppError && error.kind === "unavailable";
        throw isAway ? unusable(address, error.cause ?? error) : error;
      },
    ),
  );
  if (serving !== null && setting.prepared) warnOfPooler(database, log);
  const { node } = database.pool;
  await refuseMoving(node);
  await requireSecret(node, fingerprintOf(jwtSecret));
  const keys = opened.use(await openKeyRows(node, jwtSecret.reveal()));
  const settings = watchSettings(log);
  const leadership = opened.use(
    serving === null ? followerOf() : await serve(database, setting, { ...serving, settings }),
  );
  const shared = await sharedState(config, jwtSecret, database);
  const closing = opened.move();
  return {
    engine: database.engine,
    migrated,
    databaseSizes: () => null,
    databaseStatistics: () => ({
      node: nodeName,
      differingSettings: settings.differing(),
      ...database.statistics(),
    }),
    standbys: () => readStandbys(database.pool.jobs.read),
    keys,
    leadership,
    shared,
    upkeep: upkeepOf(database),
    replaceSecret: (next) => {
      const secrets = { from: jwtSecret.reveal(), to: next.reveal(), fingerprint: fingerprintOf(next) };
      return rotateSecret(setting, secrets);
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/**
 * Brings the schema up to date. A server waits for a host that takes writes; a command fails with unavailable
 * at once.
 */
async function migrate(setting: DatabaseSetting, serving: Serving | null): Promise<MigrationReport> {
  const holder = `${serving?.node ?? "command"}/${newUuid()}`;
  const until = performance.now() + waitSeconds * 1000;
  for (let isFirst = true; ; isFirst = false) {
    try {
      if (serving === null) return await migratePostgres(setting, { holder, say: () => undefined });
      const { log, stopping } = serving;
      return await migratePostgres(setting, {
        holder,
        say: (text) => log.info(text),
        patience: "once",
        stopping,
      });
    } catch (error) {
      const isAway = error instanceof AppError && error.kind === "unavailable";
      if (serving === null || !isAway || performance.now() >= until) throw error;
      if (isFirst)
        serving.log.warn("the database cannot be used yet: this node waits for it", {
          database: describeAddress(setting.address),
          seconds: waitSeconds,
          reason: error.message,
          ...error.report,
        });
    }
    await pause(pauseMs, undefined, { signal: serving.stopping });
  }
}

/** Beside the start. A connection that fails meanwhile is the pool's matter. */
function warnOfPooler({ pool }: PostgresDatabase, log: Logger): void {
  const warn = (isPooled: boolean): void => {
    if (isPooled) log.error(poolerWords, { remedy: poolerRemedy });
  };
  sharesConnections(pool.node, pool.write).then(warn, () => undefined);
}

type Served = Leadership & AsyncDisposable;

/** Makes this process one of the nodes, which may lead them. */
async function serve(
  database: PostgresDatabase,
  { jwtSecret }: DatabaseSetting,
  serving: Serving & { readonly settings: SettingsWatch },
): Promise<Served> {
  await using opened = new AsyncDisposableStack();
  const { node } = database.pool;
  const fingerprint = fingerprintOf(jwtSecret);
  const own = {
    name: serving.node,
    version,
    schema: migrations.length,
    settings: await serving.digests(),
  };
  const rules: NodeRules = {
    refuse: (others) => refuseOtherUrl(own.settings, others),
    onBeat: async () => {
      await requireSecret(node, fingerprint);
      await refuseMoving(node);
      await refuseNewerMark(node);
    },
    onNodes: serving.settings.look,
    onFault: (error) => {
      // For other faults, the pool logs that the database is away.
      if (error instanceof AppError && error.kind === "conflict") serving.onForeign(error);
    },
  };
  const table: NodeTable = {
    sender: node,
    atOnce: (work) => database.inBackground(work)(() => Promise.resolve()),
  };
  const entrance: Entrance = {
    tryToEnter: () => enterNodes(table, own, rules),
    refuseSince: async (seconds) => rules.refuse((await listNodes(node)).filter(hasGivenSignIn(seconds))),
  };
  const { holder } = opened.use(await enter(serving, entrance));
  const lease = leaseOf(node, "leader", holder);
  const leadership = opened.use(
    openLeadership({
      lease,
      atomicallyWithin: (term) => database.inBackground((session) => lease.requireHeld(session, term)),
      log: serving.log,
    }),
  );
  const closing = opened.move();
  return { ...leadership, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/**
 * Silence is in whole seconds, rounded down: without one more, a node that ended just before them would
 * count.
 */
function hasGivenSignIn(seconds: number) {
  return ({ isAlive, silentSeconds }: Node): boolean => isAlive && silentSeconds + 1 <= seconds;
}

/** Commands never lead. */
function followerOf(): Served {
  return {
    isLeader: () => false,
    whileLeading: () => new AsyncDisposableStack(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function sharedState(
  {
    rules: {
      game: { passwordIntervalMs },
    },
  }: Config,
  jwtSecret: Secret,
  { engine, pool }: PostgresDatabase,
): Promise<SharedState> {
  const { clock } = engine;
  const now = () => clock.nowSeconds();
  const intervalMs = lanePauseMs(passwordIntervalMs);
  const given = { db: pool.write, now, hash: keyedHash(jwtSecret, "cloakroom counted attempts") };
  const setupSecret = keyedHash(jwtSecret, "cloakroom set-up")(await engine.communityId());
  return {
    attempts: shareAttempts(given),
    once: shareOnce(given),
    joins: shareJoins(given),
    laneGate:
      intervalMs === 0
        ? openGate
        : shareCallGate({ ...given, intervalMs, own: createGateMemory(intervalMs, clock) }),
    makeSetupSecret: () => setupSecret,
  };
}

function upkeepOf({ engine, pool }: PostgresDatabase): readonly Upkeep[] {
  return [
    // Also where this node reads from no replica: another one may.
    { failure: "the heartbeat for replicas failed", everyMs: beatMs, run: () => beat(pool.node) },
    { failure: "events got no numbers", everyMs: 250, run: () => numberEvents(pool.node) },
    { failure: "counts were not added up", everyMs: 5_000, run: () => foldCounts(pool.jobs.write) },
    {
      failure: "copies of mails to everybody were not written",
      everyMs: 1_000,
      run: (term) => copyBulkMails(pool.jobs.write, () => !term.isHeld()),
    },
    {
      failure: "attempts that have ended were not removed",
      everyMs: 60_000,
      run: async () => void (await removeEnded(pool.jobs.write, engine.clock.nowSeconds())),
    },
    { failure: "old changes were not removed", everyMs: 60_000, run: () => pruneChanges(pool.node) },
    { failure: "nodes that have ended were not removed", everyMs: 60_000, run: () => pruneNodes(pool.node) },
  ];
}

/** Commands print their own result, and fail with what matters. */
const silent: Logger = createLogger({ level: "error", format: "pretty", write: () => undefined });
