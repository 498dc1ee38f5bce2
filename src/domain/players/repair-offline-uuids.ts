import type { PlayerId } from "../../kernel/ids.ts";
import { system } from "../model/actor.ts";
import { offlineUuid } from "../model/player-uuid.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact } from "../ports/unit-of-work.ts";

/** Players that are looked at in one run. */
const pageRows = 1_000;

type Deps = { readonly reads: Reads; readonly transact: Transact };

/**
 * Writes the offline uuids of the next players after one (null: from the first on) where they are missing or
 * of an earlier name, as a program of the release before leaves them. Returns how many it wrote, and the last
 * player; null: there are no more.
 */
export async function repairOfflineUuids(
  { reads, transact }: Deps,
  after: PlayerId | null,
): Promise<{ readonly written: number; readonly next: PlayerId | null }> {
  const page = await reads.players.listOfflineUuids({ after, rows: pageRows });
  const wrong = page.filter((player) => player.offlineUuid !== offlineUuid(player.name));
  if (wrong.length > 0) await transact(system, ({ players }) => players.writeOfflineUuids(wrong));
  return { written: wrong.length, next: page.length < pageRows ? null : (page.at(-1)?.id ?? null) };
}
