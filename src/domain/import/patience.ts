/** Others were in the way several times: a smaller batch meets fewer of them. */
export class MetOthers extends Error {}

/** So many runs of a whole batch are tried before it is made smaller. */
const runsMax = 2;

/**
 * Counts the runs of a work, which fails with `MetOthers` in one too many. It is the one thing that a work of
 * an import knows of its runs before: the database runs it again whenever it meets others.
 */
export class Patience {
  #runs = 0;

  /** A run of a batch begins; a single record has no smaller batch. */
  begin(records: number): void {
    this.#runs += 1;
    if (records > 1 && this.#runs > runsMax) throw new MetOthers();
  }
}
