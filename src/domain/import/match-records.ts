import { parseUuid, type AccountId, type PlayerId, type SkinId, type Uuid } from "../../kernel/ids.ts";
import { nameKey } from "../model/username.ts";
import type { ImportReads, LinkedKind } from "../ports/import-store.ts";
import type { BookPage, BookPlayer } from "../ports/plan-book.ts";
import { pagesOf, told, turnAway, type Planning } from "./planning.ts";

/** Finds the accounts and players that are here: brought by earlier runs, or known by uuid or name. */
export async function matchPeople(planning: Planning): Promise<void> {
  const { book, reads, rules, source } = planning;
  if ((await reads.findRun(rules.sourceName)) !== null) {
    // The boundary where numbers of links become ids: the kind of the link says which ones.
    await matchEach(planning, "account", book.accounts, ({ n }, { id, digest, isGone }) =>
      book.setAccount(
        n,
        isGone ? { state: "gone" } : { state: "here", id: id as AccountId, knownDigest: digest },
      ),
    );
    await matchEach(planning, "player", book.players, ({ n }, { id, digest, isGone }) =>
      book.setPlayer(
        n,
        isGone ? { state: "gone" } : { state: "here", id: id as PlayerId, knownDigest: digest },
      ),
    );
  }
  if (!source.facts.isAboutOthers) return;
  for await (const page of told(planning, "looking for players here", pagesOf(book.players)))
    await matchOthers(planning, page);
}

/** Finds the skins and capes that earlier runs of this source brought. */
export async function matchLooks(planning: Planning): Promise<void> {
  const { book, reads, rules } = planning;
  if ((await reads.findRun(rules.sourceName)) === null) return;
  await matchEach(planning, "skin", book.skins, ({ n }, { id, isGone }) =>
    // As above.
    book.setSkin(n, isGone ? { state: "gone" } : { state: "here", id: id as SkinId }),
  );
  await matchEach(planning, "cape", book.capeTextures, ({ n, source }, { isGone }) =>
    book.setTexture(n, isGone ? { state: "gone" } : { state: "here", cape: source.key }),
  );
}

type Link = Awaited<ReturnType<ImportReads["links"]>> extends ReadonlyMap<string, infer One> ? One : never;

type Keyed = { readonly n: number } & (
  { readonly key: string } | { readonly source: { readonly key: string } }
);

function keyOf(row: Keyed): string {
  return "key" in row ? row.key : row.source.key;
}

/** Reports each record that came before with the row that it became. */
async function matchEach<Row extends Keyed>(
  planning: Planning,
  kind: LinkedKind,
  read: (page: BookPage) => readonly Row[],
  found: (row: Row, link: Link) => void,
): Promise<void> {
  const { reads, rules } = planning;
  for await (const page of told(planning, `looking for ${kind}s that came before`, pagesOf(read))) {
    const links = await reads.links(rules.sourceName, kind, page.map(keyOf));
    for (const row of page) {
      const link = links.get(keyOf(row));
      if (link !== undefined) found(row, link);
    }
  }
}

/** Players of a list or a folder are those that are here, by uuid or else by name. */
async function matchOthers({ book, reads }: Planning, page: readonly BookPlayer[]): Promise<void> {
  const players = await reads.players({
    uuids: page.flatMap((player) => uuidOf(player) ?? []),
    nameKeys: page.flatMap(({ source }) => (source.name === "" ? [] : nameKey(source.name))),
  });
  const byUuid = new Map(players.map((player) => [player.uuid, player]));
  const byName = new Map(players.map((player) => [nameKey(player.name), player]));
  for (const player of page) {
    if (player.state === "gone" || player.state === "skipped") continue;
    const uuid = uuidOf(player);
    const found = (uuid && byUuid.get(uuid)) ?? byName.get(nameKey(player.source.name));
    if (found === undefined) {
      if (player.account !== null) continue;
      const reason = "no player here has this name or uuid";
      turnAway(book, "player", player, {
        decision: "skip",
        reason,
        from: player.source.name || player.source.uuid,
      });
      continue;
    }
    const account = player.account ?? book.addHere(found.account);
    book.setAccount(account, { state: "here", id: found.account });
    book.setPlayer(player.n, {
      state: "here",
      id: found.id,
      account,
      showsSkin: found.showsSkin,
      name: found.name,
      uuid: found.uuid,
    });
  }
}

function uuidOf({ source }: BookPlayer): Uuid | null {
  return source.uuid === null ? null : parseUuid(source.uuid);
}

/** The players that an earlier run of this source has found or brought. One may have several records. */
export function cameBefore(players: readonly BookPlayer[]): ReadonlySet<BookPlayer["id"]> {
  return new Set(players.filter(({ knownDigest }) => knownDigest !== null).map(({ id }) => id));
}
