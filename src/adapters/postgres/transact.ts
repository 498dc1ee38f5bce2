import type { Atomically, Stores } from "../../domain/ports/stores.ts";
import type { Session } from "./connection.ts";
import { StatementFault, translateFault } from "./faults.ts";
import type { LaneName, Pool } from "./pool.ts";
import type { Sender } from "./sender.ts";

/** However often a run is refused, a work ends. */
const runsMax = 10;

/** How one run of a transaction's work ended. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Asked after each run of a work, the first being run 1: whether to roll it back and run the work again, as tests want it. */
export type Rerun = (run: number, outcome: Outcome) => boolean;

/** The stores of a place for transactions, and what its commits need. */
export type Place = {
  readonly stores: Stores;
  /** A run begins: what was noted in one that failed is forgotten. */
  readonly begin: () => void;
  /** The last writes of the transaction. */
  readonly beforeCommit: () => Promise<void>;
  readonly committed: () => void;
};

/** Makes a place's stores, once. */
export type MakePlace = (sender: Sender) => Place;

type Options = {
  readonly pool: Pool;
  readonly lane: LaneName;
  readonly makePlace: MakePlace;
  readonly rerun?: Rerun;
};

/** Transactions that see each other as if they ran one after the other: what conflicts runs again. */
export function createAtomically({ pool, lane, makePlace, rerun = () => false }: Options): Atomically {
  const places = new WeakMap<Session, Place>();
  const placeOf = (session: Session): Place => {
    const known = places.get(session) ?? makePlace(session);
    places.set(session, known);
    return known;
  };

  return async (work) => {
    for (let run = 1; ; run++) {
      try {
        return await pool.transaction(lane, (session) =>
          runOnce(session, placeOf(session), work, (outcome) => run < 3 && rerun(run, outcome)),
        );
      } catch (error) {
        const again = error === runAgain || (error instanceof StatementFault && error.kind === "conflict");
        if (!again || run >= runsMax) throw translateFault(error);
      }
    }
  };
}

const runAgain = new Error("this run is rolled back, and the work runs again");

async function runOnce<T>(
  session: Session,
  place: Place,
  work: (stores: Stores) => Promise<T>,
  isRerun: (outcome: Outcome) => boolean,
): Promise<T> {
  await session.command("BEGIN ISOLATION LEVEL SERIALIZABLE");
  place.begin();
  try {
    const value = await work(place.stores);
    if (isRerun({ value })) throw runAgain;
    await place.beforeCommit();
    const done = await session.command("COMMIT");
    if (done !== "COMMIT") throw new Error(`the commit was answered with ${done}`);
    place.committed();
    return value;
  } catch (error) {
    await session.command("ROLLBACK").catch(() => undefined);
    if (error !== runAgain && isRerun({ error })) throw runAgain;
    throw error;
  }
}
