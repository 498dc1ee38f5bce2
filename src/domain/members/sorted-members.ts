import { refusals } from "../model/refusals.ts";
import type { AppError } from "../../kernel/errors.ts";
import type { ListedMember } from "../model/account.ts";
import { nameKey } from "../model/username.ts";
import type { AccountReads, MemberPlace } from "../ports/account-store.ts";

/**
 * Sorted by the main player's name from A on, or by last use from the latest on. Members without a key come
 * last.
 */
export type MemberOrder = "name" | "seen";

type SortedPage = {
  readonly order: MemberOrder;
  /** The place of the row that the page before ended with; null: from the beginning. */
  readonly after: MemberPlace | null;
  readonly rows: number;
  readonly search: string | null;
};

/** Search results are sorted in memory. */
const sortedMax = 1000;

/** A page of members in this order. Fails with invalid when a search finds too many to be sorted. */
export async function listSortedMembers(
  accounts: AccountReads,
  page: SortedPage,
): Promise<readonly ListedMember[]> {
  if (page.search !== null) return sortFound(accounts, page, page.search);
  const { order, after, rows } = page;
  const list = order === "name" ? accounts.listByName : accounts.listByLastSeen;
  return list({ after, rows });
}

async function sortFound(
  accounts: AccountReads,
  { order, after, rows }: SortedPage,
  search: string,
): Promise<readonly ListedMember[]> {
  const found = await accounts.listMembers({ after: null, rows: sortedMax + 1, search, isNewestFirst: true });
  if (found.length > sortedMax) throw tooManyToSort();
  const follows = (one: MemberPlace, other: MemberPlace) => compare(order, one, other) > 0;
  return found
    .map((member) => ({ member, place: memberPlace(order, member) }))
    .filter(({ place }) => after === null || follows(place, after))
    .toSorted((one, other) => compare(order, one.place, other.place))
    .slice(0, rows)
    .map(({ member }) => member);
}

/** The refusal to sort what a search finds. */
function tooManyToSort(): AppError {
  return refusals.tooManyToSort(sortedMax);
}

/** Where a member is in a list of this order. */
export function memberPlace(order: MemberOrder, { id, player, lastSeenAt }: ListedMember): MemberPlace {
  if (order === "seen") return { id, key: lastSeenAt === null ? null : String(lastSeenAt) };
  return { id, key: player === null ? null : nameKey(player.name) };
}

/** As `listByName` and `listByLastSeen` order them. */
function compare(order: MemberOrder, one: MemberPlace, other: MemberPlace): number {
  if (one.key === null || other.key === null) {
    if (one.key !== other.key) return one.key === null ? 1 : -1;
    return order === "name" ? one.id - other.id : other.id - one.id;
  }
  if (order === "seen") return Number(other.key) - Number(one.key) || other.id - one.id;
  return one.key < other.key ? -1 : Number(one.key > other.key);
}
