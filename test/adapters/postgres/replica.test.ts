import { expect, test } from "bun:test";
import { parseAddress } from "../../../src/adapters/postgres/connections/address.ts";
import { openPostgres } from "../../../src/adapters/postgres/database.ts";
import { beat } from "../../../src/adapters/postgres/connections/replica.ts";
import { insertMember } from "../../ports/stores.suite.ts";
import { lentDatabase } from "../../support/lent-postgres.ts";
import { openPostgresProxy } from "../../support/postgres-proxy.ts";
import { postgresMissing } from "../../support/postgres.ts";

if (postgresMissing !== null) console.error(`NOT RUN: delivery from a replica (${postgresMissing})`);

/** The replica here is the same server by another way, so only what is asked of it and when shows. */
test.skipIf(postgresMissing !== null)(
  "delivery and its feed use a replica while its copy is young",
  async () => {
    await using opened = new AsyncDisposableStack();
    const { url } = opened.use(await lentDatabase());
    const proxy = opened.use(await openPostgresProxy(url));
    const asked: string[] = [];
    proxy.onStatement((text) => {
      asked.push(text);
      return null;
    });
    const lines: string[] = [];
    const note = (message: string) => void lines.push(message);
    const database = opened.use(
      await openPostgres({
        setting: {
          address: parseAddress(url),
          readAddress: parseAddress(proxy.url),
          poolMax: 2,
          prepared: true,
        },
        nodeName: "one",
        log: { info: note, warn: note },
      }),
    );
    const { reads, atomically, changes } = database.engine;
    const find = () => reads.textures.findAppearance({ by: "name", value: "alice" });
    const wasAsked = (part: string) => asked.some((text) => text.includes(part));

    // Without a heartbeat its age is not known.
    expect(await find()).toBeNull();
    expect(wasAsked("players.name_key")).toBeFalse();

    const beating = setInterval(() => void beat(database.pool.node).catch(() => undefined), 200);
    opened.defer(() => clearInterval(beating));
    while (!lines.includes("delivery reads from the replica")) await Bun.sleep(20);
    const { player } = await atomically((stores) => insertMember(stores, "alice"));
    expect(await find()).toMatchObject({ uuid: player?.uuid });
    expect(wasAsked("FROM change")).toBeTrue();
    const heard: string[] = [];
    using _subscription = changes.subscribe(
      (change) => void heard.push(...(change === "interrupted" ? [change] : change)),
    );
    await database.pool.write.send(
      "INSERT INTO change (kind, subject, at) SELECT 'player', 'x', extract(epoch FROM now())::bigint",
      [],
    );
    while (!heard.includes("player:x")) await Bun.sleep(20);

    // Away, it is passed over at once.
    proxy.refuse();
    proxy.cut();
    expect(await find()).toMatchObject({ uuid: player?.uuid });
    while (lines.length < 2) await Bun.sleep(20);
    await database.pool.write.send(
      "INSERT INTO change (kind, subject, at) SELECT 'player', 'y', extract(epoch FROM now())::bigint",
      [],
    );
    while (!heard.includes("player:y")) await Bun.sleep(20);
    expect(changes.isFresh()).toBeTrue();
  },
);
