import type { SQL } from "bun";
import { openClient } from "../connections/connection.ts";
import type { Pool } from "../connections/pool.ts";

/** What other nodes may look for at once, instead of at their next look. */
export type Topic = "change" | "event" | "mail";

const topics: readonly Topic[] = ["change", "event", "mail"];
/** At most 20 a second: each NOTIFY takes a lock over the whole database when it commits. */
const tellEveryMs = 50;
/** How soon listening is tried again. */
const retryMs = 5_000;

/** What is done when a notice comes, from another node or this one. */
export type Hearers = Readonly<Record<Topic, () => void>>;

export type Notices = AsyncDisposable & {
  /** After a commit, and outside of it. Notices may be lost. */
  readonly tell: (topic: Topic) => void;
};

/**
 * Hurries the nodes by LISTEN and NOTIFY. Nothing needs it: behind a pooler that gives each transaction
 * another connection it is left out, and on engines without it nothing is heard.
 */
export function openNotices(pool: Pool, hear: Hearers): Notices {
  const pending = new Set<Topic>();
  let timer: Timer | null = null;
  const send = (): void => {
    timer = null;
    const channels = [...pending].map(channelOf);
    pending.clear();
    const text = "SELECT pg_notify(channel, '') FROM unnest($1::text[]) AS channels (channel)";
    // They hurry only.
    pool.node.send(text, [channels]).catch(() => undefined);
  };
  const listener = pool.options.prepared ? keepListening(pool, hear) : null;

  return {
    tell: (topic) => {
      if (!pool.options.prepared) return;
      pending.add(topic);
      timer ??= setTimeout(send, tellEveryMs);
    },
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer ?? undefined);
      await listener?.[Symbol.asyncDispose]();
    },
  };
}

function channelOf(topic: Topic): string {
  return `cloakroom_${topic}`;
}

/**
 * Listens on a connection of its own, at the server that the pool uses. Bun opens it again when it ends, and
 * writes a line whenever that fails, so nothing listens during an outage.
 */
function keepListening(pool: Pool, hear: Hearers): AsyncDisposable {
  let client: SQL | null = null;
  let retry: Timer | null = null;
  const leave = (): void => {
    clearTimeout(retry ?? undefined);
    void client?.close({ timeout: 0 }).catch(() => undefined);
    client = null;
  };
  const listen = (): void => {
    leave();
    const host = pool.server();
    if (host === null) return;
    const own = openClient(host, pool.options, 1);
    client = own;
    Promise.all(topics.map((topic) => own.listen(channelOf(topic), () => hear[topic]()))).catch(() => {
      if (client === own) retry = setTimeout(listen, retryMs);
    });
  };
  const following = pool.onServer(listen);
  listen();
  return {
    [Symbol.asyncDispose]: () => {
      following[Symbol.dispose]();
      leave();
      return Promise.resolve();
    },
  };
}
