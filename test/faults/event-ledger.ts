/*
 * What must hold of events when the service is killed: each is there with its cause, in order, and is sent at
 * least once.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { newWebhookSecret } from "../../src/domain/events/webhook-signature.ts";

/** A receiver of events that looks at what comes. */
export type EventLedger = AsyncDisposable & {
  /** Settings with which the service sends events here. */
  readonly settings: Readonly<Record<string, string>>;
  /** What is wrong with what came. */
  readonly faults: readonly string[];
  readonly counts: () => { readonly events: number; readonly repeated: number };
  /** Waits until the last event of the folder has come. */
  readonly untilAll: (dataDir: string) => Promise<void>;
};

export function openEventLedger(): EventLedger {
  const secret = newWebhookSecret();
  const webhook = new Webhook(secret);
  const bodies = new Map<number, string>();
  const faults: string[] = [];
  let newest = 0;
  let repeated = 0;
  const take = (id: number, body: string): void => {
    const known = bodies.get(id);
    if (known !== undefined) {
      repeated += 1;
      if (known !== body) faults.push(`event ${id} came with other words`);
    } else if (id < newest) faults.push(`event ${id} came after ${newest}`);
    bodies.set(id, body);
    newest = Math.max(newest, id);
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const body = await request.text();
      webhook.verify(body, Object.fromEntries(request.headers));
      take(Number(request.headers.get("webhook-id")), body);
      return new Response(null, { status: 204 });
    },
    error: (error) => {
      faults.push(`an event could not be read: ${String(error)}`);
      return new Response(null, { status: 500 });
    },
  });

  return {
    settings: {
      WEBHOOK_URLS: `http://127.0.0.1:${server.port}/`,
      WEBHOOK_SECRET: secret,
      // Each run listens on another port, which addresses of textures would show.
      PUBLIC_URL: "https://skins.example.org",
    },
    faults,
    counts: () => ({ events: bodies.size, repeated }),
    untilAll: async (dataDir) => {
      using database = new Database(join(dataDir, "cloakroom.db"), { readonly: true });
      const last = database.query<{ seq: number }, []>(
        "SELECT seq FROM sqlite_sequence WHERE name = 'events'",
      );
      while (faults.length === 0 && newest < (last.get()?.seq ?? 0)) await Bun.sleep(50);
      // Ids have gaps where a later event of a player has replaced one; what is kept has come.
      const first = Math.min(...bodies.keys());
      const kept = database.query<{ id: number }, [number]>("SELECT id FROM events WHERE id >= ?").all(first);
      for (const { id } of kept) if (!bodies.has(id)) faults.push(`event ${id} has not come`);
    },
    // Connections of killed processes may never be seen to end.
    [Symbol.asyncDispose]: async () => void server.stop(true),
  };
}

const shown = `
  SELECT players.uuid, players.name, skins.texture_hash AS skin, skins.model, capes.texture_hash AS cape
  FROM players LEFT JOIN skins ON skins.id = selected_skin_id
  LEFT JOIN capes ON capes.id = coalesce(own_cape_id, iif(hides_cape, NULL, skins.cape_id))`;

/** Each query finds events that do not say what is there. */
export const eventHalves = [
  {
    what: "a player of whose beginning there is not one event",
    query: `SELECT name FROM players WHERE 1 <> (SELECT count(*) FROM events
            WHERE type = 'player.created' AND body -> 'player' ->> 'uuid' = players.uuid)`,
  },
  {
    what: "a player who shows other textures than the last event says",
    query: `SELECT name, skin, cape FROM (${shown}) AS looks
            LEFT JOIN (SELECT body, body -> 'player' ->> 'uuid' AS player, max(id) FROM events
                       WHERE type = 'player.textures' GROUP BY player) AS event ON event.player = looks.uuid
            WHERE (skin, iif(skin IS NULL, NULL, model), cape) IS NOT
              (body -> 'skin' ->> 'hash', body -> 'skin' ->> 'model', body -> 'cape' ->> 'hash')`,
  },
  {
    what: "a player who has another name than the last event says",
    query: `SELECT name FROM players JOIN (
              SELECT body -> 'player' ->> 'uuid' AS player, body -> 'player' ->> 'name' AS said, max(id)
              FROM events WHERE type <> 'account.deleted' GROUP BY player) ON player = players.uuid
            WHERE name <> said`,
  },
] as const;
