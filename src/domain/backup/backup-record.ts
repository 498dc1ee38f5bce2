/** The schedule of backups as this process follows it. */
export type FollowedSchedule = {
  /** Since when it is followed, in Unix seconds. */
  readonly since: number;
  /** Backups that have ended since, made or not. */
  readonly ended: number;
  /** Whether the last one succeeded; null: no backup has ended yet. */
  readonly hasSucceeded: boolean | null;
};

/**
 * What is known of scheduled backups until the process ends. Of several nodes the leader follows the
 * schedule.
 */
export type BackupRecord = {
  /** Null where the schedule is not followed. */
  readonly read: () => FollowedSchedule | null;
  /** The schedule is followed from now on, until disposed of. `now` in Unix seconds. */
  readonly follow: (now: number) => Disposable & { readonly note: (hasSucceeded: boolean) => void };
};

/** Makes a record of no schedule. */
export function createBackupRecord(): BackupRecord {
  let current: FollowedSchedule | null = null;

  return {
    read: () => current,
    follow: (since) => {
      let own: FollowedSchedule = { since, ended: 0, hasSucceeded: null };
      current = own;
      // The work of a term may end after the next one has begun.
      const put = (next: FollowedSchedule | null): void => {
        if (current === own) current = next;
      };
      return {
        note: (hasSucceeded) => {
          const next = { since, ended: own.ended + 1, hasSucceeded };
          put(next);
          own = next;
        },
        [Symbol.dispose]: () => put(null),
      };
    },
  };
}
