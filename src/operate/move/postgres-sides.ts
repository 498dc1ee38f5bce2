/** Loaded only for moves from or to PostgreSQL. */
import { describeAddress } from "../../adapters/postgres/connections/address.ts";
import { beginMove, checkEmpty } from "../../adapters/postgres/move/begin-move.ts";
import { requireWholeSchema } from "../../adapters/postgres/community.ts";
import { openKeyRows } from "../../adapters/postgres/cluster/key-rows.ts";
import { refuseOtherSecret } from "../../adapters/postgres/cluster/marks.ts";
import { endMove } from "../../adapters/postgres/move/moving.ts";
import { refuseLiveNodes } from "../../adapters/postgres/cluster/nodes.ts";
import { refuseUnfinished, tableSource, tableTarget } from "../../adapters/postgres/move/table-copy.ts";
import { openWorkSession, type NotedDatabase } from "../../adapters/postgres/connections/work-session.ts";
import { fingerprintOf, type Secret } from "../../boot/secrets.ts";
import { PlainError } from "../../kernel/errors.ts";
import type { SourceSide, TargetSide } from "./sides.ts";

/** A database that is moved, as it was at one moment. No node works with it meanwhile. */
export async function postgresSource(database: NotedDatabase, jwt: Secret): Promise<SourceSide> {
  await using opening = new AsyncDisposableStack();
  const name = describeAddress(database.address);
  const session = opening.use(await openWorkSession(database));
  const { pending } = await requireWholeSchema(session, name);
  if (pending < 0)
    throw new PlainError("conflict", `${name} was written by a newer version: move it with that one`);
  await refuseOtherSecret(session, fingerprintOf(jwt));
  await refuseLiveNodes(session);
  await refuseUnfinished(session);
  const keys = opening.use(await openKeyRows(session, jwt.reveal()));
  const reading = opening.use(await openWorkSession(database));
  await reading.command("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const opened = opening.move();
  return {
    name,
    tables: tableSource(reading),
    keys,
    jwt,
    refuseUse: () => refuseLiveNodes(session),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** An empty database to fill. No node starts on it until it is complete. */
export async function postgresTarget(database: NotedDatabase, jwt: Secret): Promise<TargetSide> {
  await using opening = new AsyncDisposableStack();
  const session = opening.use(await openWorkSession(database));
  const opened = opening.move();
  return {
    name: describeAddress(database.address),
    check: async (community) => void (await checkEmpty(session, community)),
    begin: async (community) => {
      const { isContinued } = await beginMove(session, community);
      return { tables: await tableTarget(session), isContinued };
    },
    // Keys are looked for all the time: on a connection of their own, in no transaction of this one.
    keys: async () =>
      opened.use(await openKeyRows(opened.use(await openWorkSession(database)), jwt.reveal())),
    finish: async (community) => {
      await session.command("BEGIN");
      await endMove(session, { community, fingerprint: fingerprintOf(jwt) });
      await session.command("COMMIT");
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
