/** A batch conflicted with others several times: a smaller one conflicts with fewer. */
export class TooContended extends Error {}

/** So many runs of a whole batch are tried before it is made smaller. */
const runsMax = 2;

/**
 * Counts the runs of a batch's transaction, which fails with `TooContended` in one too many. It is the one
 * thing that the work knows of its runs before: the database runs it again whenever it conflicts.
 */
export class BatchRuns {
  #runs = 0;

  /** A run of a batch begins; a single record has no smaller batch. */
  begin(records: number): void {
    this.#runs += 1;
    if (records > 1 && this.#runs > runsMax) throw new TooContended();
  }
}
