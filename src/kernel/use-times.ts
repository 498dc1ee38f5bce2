/** When things were last used (Unix seconds), kept in memory until they are written together. */
export type UseTimes<Id> = {
  /** Notes that something is used now. Does nothing if it was used within the last minute. */
  readonly note: (used: Used<Id>, now: number) => void;
  /** When it was last used, written or not. */
  readonly lastUsedAt: <At extends number | null>(used: Used<Id, At>) => number | At;
  /** Writes all noted uses at once. After a failure they are kept for the next flush. */
  readonly flush: () => Promise<void>;
};

/** A used thing, with the stored time of its last use; null if it was never used. */
export type Used<Id, At extends number | null = number | null> = {
  readonly id: Id;
  readonly lastUsedAt: At;
};

/** How exact the time is. Writing every use would be most of the database's work. */
const exactSeconds = 60;

/**
 * Collects in memory what `flush` writes. A process that dies loses the last times. Between two flushes
 * `notedMax` things are noted at most; uses of further ones are noted a minute later.
 */
export function collectUseTimes<Id>({
  notedMax,
  write,
}: {
  readonly notedMax: number;
  readonly write: (uses: ReadonlyMap<Id, number>) => Promise<void>;
}): UseTimes<Id> {
  const noted = new Map<Id, number>();
  return {
    note: ({ id, lastUsedAt }, now) => {
      if (now - (lastUsedAt ?? 0) < exactSeconds || noted.size >= notedMax) return;
      noted.set(id, now);
    },
    lastUsedAt: ({ id, lastUsedAt }) => noted.get(id) ?? lastUsedAt,
    flush: async () => {
      if (noted.size === 0) return;
      const uses = new Map(noted);
      await write(uses);
      for (const [id, at] of uses) if (noted.get(id) === at) noted.delete(id);
    },
  };
}
