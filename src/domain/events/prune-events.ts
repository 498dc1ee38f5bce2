import type { Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Logger } from "../../kernel/log.ts";
import { system } from "../model/actor.ts";
import type { RepeatedLooks } from "../ports/event-store.ts";
import type { Transact } from "../ports/unit-of-work.ts";

type Deps = { readonly transact: Transact; readonly log: Pick<Logger, "warn"> };

/** Rows that one transaction removes: some milliseconds. */
const batchRows = 2_000;
/** Events that one transaction looks at for repeated ones: some 20 ms. */
const spanRows = 10_000;
/** What is left after so many waits for the next time. */
const runsMax = 50;

/**
 * Removes events that are too old or too many to be kept, some thousands at most. If there are too many,
 * events that a later one of the same player replaced go first, those of the busiest players before others.
 * The log says what was removed because there were too many.
 */
export async function pruneEvents(deps: Deps): Promise<void> {
  const { transact, log } = deps;
  await removeOld(transact, Number.MAX_SAFE_INTEGER);
  const tooMany = (await transact(system, ({ events }) => events.countEvents())) - limits.eventsKeptMax;
  if (tooMany <= 0 || (await removeRepeated(deps, tooMany)) >= tooMany) return;
  const events = await removeOld(transact, limits.eventsKeptMax);
  log.warn("the log of events is full: its oldest events were removed; see cloakroom webhook list", {
    events,
  });
}

/** Removes events that are too old, and those that are not among the newest `kept`. Returns how many. */
async function removeOld(transact: Transact, kept: number): Promise<number> {
  let removed = 0;
  for (let last = batchRows, run = 0; last === batchRows && run < runsMax; run++) {
    last = await transact(system, ({ events, now }) =>
      events.deleteOldEvents({ before: now - limits.eventSeconds, kept, rows: batchRows }),
    );
    removed += last;
  }
  return removed;
}

/** Goes through the log from its oldest event on, until so many are removed. Returns how many were. */
async function removeRepeated({ transact, log }: Deps, most: number): Promise<number> {
  const times = new Map<Uuid, number>();
  let events = 0;
  for (let after: number | null = 0, run = 0; after !== null && events < most && run < runsMax; run++) {
    const place = { after, span: spanRows, rows: Math.min(batchRows, most - events) };
    const found: RepeatedLooks = await transact(system, (tx) => tx.events.deleteRepeatedLooks(place));
    for (const player of found.removed) times.set(player, (times.get(player) ?? 0) + 1);
    events += found.removed.length;
    // Of a place that had as many as one transaction removes, the rest goes next.
    if (found.removed.length < place.rows) after = found.last;
  }
  const [busiest] = [...times].toSorted(([, one], [, other]) => other - one);
  if (busiest === undefined) return events;
  const message =
    "the log of events is full: repeated player.textures were removed; look at the busiest player";
  log.warn(message, { events, players: times.size, busiest: busiest[0], of_busiest: busiest[1] });
  return events;
}
