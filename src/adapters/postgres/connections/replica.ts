import type { TextureReads } from "../../../domain/ports/texture-store.ts";
import type { Logger } from "../../../kernel/log.ts";
import type { PolledFeed } from "../feed/change-feed.ts";
import type { DatabaseClock } from "../cluster/database-clock.ts";
import { databaseMs } from "../cluster/lease.ts";
import { readMark } from "../cluster/marks.ts";
import type { Pool } from "./pool.ts";
import type { Sender } from "../../sql/sender.ts";
import { readsOf } from "../../sql/stores.ts";
import { searchesOf } from "../search.ts";

/** How often the leader leaves the time, which replicas show how old their copy is. */
export const beatMs = 500;
/** A replica whose copy is older is passed over. */
const oldestMs = 1_000;
/** How often its age is looked at. */
const lookMs = 250;
/** So long after the start the operator hears of a replica that was not used yet. */
const firstMs = 10_000;

/** Leaves the time. The leader does. */
export async function beat(db: Sender): Promise<void> {
  const text = `
    INSERT INTO marks (name, value) VALUES ('heartbeat', ${databaseMs}::text)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  await db.send(text, []);
}

type Options = {
  readonly primary: Pool;
  readonly replica: Pool;
  readonly feed: PolledFeed;
  readonly clock: DatabaseClock;
  readonly log: Pick<Logger, "info" | "warn">;
};

export type Replica = AsyncDisposable & {
  /**
   * Delivery's lookups, from the replica while its copy is young. What it has not, the primary may have by
   * now.
   */
  readonly textures: TextureReads;
  readonly isUsed: () => boolean;
};

/**
 * Reads delivery and the change feed from one replica, so that an answer is never older than the feed that
 * would drop it. While the replica is away or its copy too old, both come from the primary.
 */
export function followReplica({ primary, replica, feed, clock, log }: Options): Replica {
  const own = readsOf(primary.read, searchesOf(primary.read)).textures;
  const copied = readsOf(replica.read, searchesOf(replica.read)).textures;
  let isUsed = false;
  const notice = noticeOf(log);
  const closing = new AbortController();

  const isYoung = async (): Promise<boolean> => {
    const leftAt = await readMark(replica.looks, "heartbeat");
    return leftAt !== null && clock.nowMs() - Number(leftAt) <= oldestMs;
  };
  const look = async (): Promise<void> => {
    const isUsable = await isYoung().catch(() => false);
    if (closing.signal.aborted || (isUsable && isUsed)) return;
    if (!isUsable && !isUsed) return notice.unused();
    if (isUsable) {
      // The feed first: what it drops from now on is in what is read afterwards.
      try {
        await feed.follow(replica.looks);
      } catch {
        return feed.follow(primary.looks);
      }
      isUsed = true;
      return notice.used();
    }
    isUsed = false;
    notice.left();
    await feed.follow(primary.looks);
  };
  const loop = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await look().catch(() => undefined);
      await Bun.sleep(lookMs);
    }
  };
  const looping = loop();
  const either =
    <Key, Found>(
      ask: (reads: TextureReads) => (key: Key) => Promise<Found | null>,
    ): ((key: Key) => Promise<Found | null>) =>
    async (key) => {
      const found = isUsed ? await ask(copied)(key).catch(() => null) : null;
      return found ?? ask(own)(key);
    };

  return {
    textures: {
      ...own,
      findAppearance: either((reads) => reads.findAppearance),
      findSkin: either((reads) => reads.findSkin),
      findCape: either((reads) => reads.findCape),
      findTexture: either((reads) => reads.findTexture),
    },
    isUsed: () => isUsed,
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await looping;
    },
  };
}

/** What the operator hears: each change, and once that a replica is not used which never was. */
function noticeOf(log: Options["log"]) {
  const beganAt = performance.now();
  let isSaid = false;
  const left = (): void => {
    isSaid = true;
    const words =
      "delivery reads from the primary: the replica is away, or its copy is more than a second old";
    log.warn(words, { remedy: "cloakroom doctor says why" });
  };
  return {
    left,
    unused: (): void => {
      if (!isSaid && performance.now() - beganAt > firstMs) left();
    },
    used: (): void => {
      isSaid = true;
      log.info("delivery reads from the replica");
    },
  };
}
