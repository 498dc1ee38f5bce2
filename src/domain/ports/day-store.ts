/** What happened on a day in UTC. */
export type DayCounts = {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly registrations: number;
  /** Sessions that were opened, of the website and of games. */
  readonly signIns: number;
};

/** What is read of the days. */
export interface DayReads {
  /** The days from this one on on which something happened, the oldest first. */
  listDays(from: number): Promise<readonly DayCounts[]>;
}

/** What is written of the days. The database counts by itself, with each registration and sign-in. */
export interface DayStore extends DayReads {
  /** Forgets the days before this one. */
  deleteDays(before: number): Promise<void>;
}
