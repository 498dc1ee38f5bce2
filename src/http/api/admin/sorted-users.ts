import { listSortedMembers, memberPlace, type MemberOrder } from "../../../domain/members/sorted-members.ts";
import type { AccountReads, MemberPlace } from "../../../domain/ports/account-store.ts";
import { AppError } from "../../../kernel/errors.ts";
import { parseRowNumber, rowNumberMax } from "../../../kernel/ids.ts";
import { listQuery, answerPage, readLimit, readSearch } from "../../paging.ts";
import { t } from "../../routing/schema.ts";
import { rules } from "../../rules.ts";

const orderRule = rules.oneOf.of("oldest, newest, name or seen");

/** The query of the list of users, which has orders of its own. */
export const usersQuery = t.Object({
  ...listQuery.properties,
  after: t.Optional(
    t.String({
      description: "The id of the last row seen, or what `Link` has: the page begins after it",
      rule: rules.listPlace.of(),
      documented: {
        anyOf: [
          { type: "integer", minimum: 0, maximum: rowNumberMax },
          { type: "string", pattern: "^[1-9][0-9]{0,14}(?:,.+)?$" },
        ],
        examples: [1017],
      },
    }),
  ),
  order: t.Optional(
    t.String({
      description:
        "`newest`: the highest id comes first; `name`: by username, users without one at the end; `seen`: the last seen first, those never seen at the end. With the last two `after` is the value that `Link` has: an id, and after a comma the name or time",
      rule: orderRule,
      documented: { type: "string", enum: ["oldest", "newest", "name", "seen"], default: "oldest" },
    }),
  ),
});

/** The order that only this list has; null: another one. Fails with invalid, naming the rule. */
export function readMemberOrder(text = "oldest"): MemberOrder | null {
  if (text === "name" || text === "seen") return text;
  if (text === "oldest" || text === "newest") return null;
  throw new AppError(orderRule, { field: "order" });
}

/** A page of users in this order. As `readRows` for the rest. */
export async function readSortedUsers(
  accounts: AccountReads,
  order: MemberOrder,
  context: Parameters<typeof answerPage>[2],
) {
  const { query } = context;
  const [rows, search, after] = [readLimit(query.limit), readSearch(query.q), readPlace(order, query.after)];
  const found = await listSortedMembers(accounts, { order, after, rows: rows + 1, search });
  const page = {
    rows,
    search,
    isFirst: after === null,
    placeOf: (row: (typeof found)[number]) => placeText(memberPlace(order, row)),
    count: accounts.countMembers,
  };
  return answerPage(found, page, context);
}

function placeText({ id, key }: MemberPlace): string {
  return key === null ? String(id) : `${id},${key}`;
}

/** No name has a control character; PostgreSQL cannot hold the first of them in a text. */
const nameKeyRule = /^\P{Cc}+$/u;

/** Null: from the beginning. Fails with invalid, naming the rule. */
function readPlace(order: MemberOrder, text: string | undefined): MemberPlace | null {
  if (text === undefined || text === "0") return null;
  const [first = "", ...rest] = text.split(",");
  const id = parseRowNumber(first);
  const key = rest.length === 0 ? null : rest.join(",");
  const isKey = key === null || (order === "seen" ? parseRowNumber(key) !== null : nameKeyRule.test(key));
  if (id === null || !isKey) throw rules.listPlace({ field: "after" });
  return { id, key };
}
