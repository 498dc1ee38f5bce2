import { nameKey } from "../model/username.ts";
import type { BookAccount, BookPlayer } from "../ports/plan-book.ts";
import { badName, mayBeAlias } from "./plan-names.ts";
import { pagesOf, reasonOf, told, type Planning } from "./planning.ts";

type Wish = { readonly account: BookAccount; readonly name: string; readonly isLogin: boolean };

/**
 * Keeps the names by which people sign in there and that no player of theirs has here. Players' names come
 * first: an alias of a taken name does not come.
 */
export async function planAliases(planning: Planning): Promise<void> {
  const { book, reads } = planning;
  for await (const page of told(planning, "comparing old names", pagesOf(book.accounts))) {
    const [first, last] = [page.at(0)?.n ?? 0, page.at(-1)?.n ?? 0];
    const players = Map.groupBy(book.playersOf(first, last), ({ account }) => account);
    const wishes = page.flatMap((account) =>
      account.joins === null
        ? wishesOf(account, players.get(account.n) ?? [])
        : wishesOfJoined(book, account),
    );
    const rows = await reads.takenNames([...new Set(wishes.map(({ name }) => nameKey(name)))]);
    const owners = new Map(rows.map(({ key, account }) => [key, account]));
    for (const { account, name, isLogin } of wishes) {
      const key = nameKey(name);
      const owner = owners.get(key);
      const isFree = owner === undefined || owner === account.id;
      if (isFree && book.claim("name", key, -account.n) === null) book.addAlias(account.n, name);
      else if (isLogin) noteLost(book, account);
    }
  }
}

function wishesOf(account: BookAccount, players: readonly BookPlayer[]): readonly Wish[] {
  if (account.state !== "new" && account.state !== "here") return [];
  const own = new Set(players.flatMap(({ name }) => (name === null ? [] : nameKey(name))));
  const { login, own: kept } = account.source;
  const names = [
    ...(account.state === "new" && login !== null ? [{ name: login, isLogin: true }] : []),
    ...(account.state === "new" ? (kept?.aliases ?? []) : []).map(({ name }) => ({ name, isLogin: false })),
    ...players
      .filter(({ state, name, reason }) => state === "new" && name !== null && reason === badName)
      .map(({ source }) => ({ name: source.name, isLogin: false })),
  ];
  const wished = new Map(names.map((one) => [nameKey(one.name), one]));
  return [...wished]
    .filter(([key, { name }]) => !own.has(key) && mayBeAlias(name))
    .map(([, one]) => ({ account, ...one }));
}

/** The account that it joins signs in by its name as well. */
function wishesOfJoined(book: Planning["book"], { joins, source: { login } }: BookAccount): readonly Wish[] {
  const account = joins === null ? null : book.account(joins);
  if (account === null || login === null || !mayBeAlias(login)) return [];
  const isPlayers = book
    .playersOf(account.n, account.n)
    .some(({ name }) => name !== null && nameKey(name) === nameKey(login));
  return isPlayers ? [] : [{ account, name: login, isLogin: false }];
}

function noteLost(book: Planning["book"], { n, reason }: BookAccount): void {
  book.setAccount(n, { reason: reasonOf(reason, "the name that it signs in by is taken") });
}
