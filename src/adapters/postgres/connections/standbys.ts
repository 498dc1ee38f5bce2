import type { Sender } from "../../sql/sender.ts";

/** What a commit waits for. */
export type Standbys = {
  /** Whether a commit waits until another server has it. */
  readonly isSynchronous: boolean;
  /**
   * Synchronous standbys that are connected. A user without the rights of pg_monitor sees standbys of both
   * kinds, and counts them all.
   */
  readonly connected: number;
};

/**
 * Reads it from the server that takes writes; null where a server only speaks PostgreSQL's protocol and has
 * no standbys.
 */
export async function readStandbys(sender: Sender): Promise<Standbys | null> {
  const [row] = await sender.send(
    `SELECT current_setting('synchronous_standby_names', true) <> ''
         AND current_setting('synchronous_commit', true) NOT IN ('off', 'local'),
       (SELECT count(*) FROM pg_stat_replication
         WHERE coalesce(state, 'streaming') = 'streaming' AND coalesce(sync_state, 'sync') IN ('sync', 'quorum'))`,
    [],
  );
  return row?.[0] === null || row === undefined
    ? null
    : { isSynchronous: row[0] === true, connected: Number(row[1]) };
}
