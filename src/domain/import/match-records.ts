import { parseUuid, type AccountId, type PlayerId, type SkinId } from "../../kernel/ids.ts";
import { nameKey } from "../model/username.ts";
import type { LinkedKind } from "../ports/import-store.ts";
import type { BookPage, BookPlayer } from "../ports/plan-book.ts";
import { pagesOf, turnAway, type Planning } from "./planning.ts";

/** Finds the accounts and players that are here: brought by earlier runs, or known by uuid or name. */
export async function matchPeople(planning: Planning): Promise<void> {
  const { book, reads, rules, source } = planning;
  if ((await reads.findRun(rules.sourceName)) !== null) {
    // The boundary where numbers of links become ids: the kind of the link says which ones.
    await matchEach(planning, "account", book.accounts, keyOfRecord, ({ n }, id, knownDigest) =>
      book.setAccount(
        n,
        id === null ? { state: "gone" } : { state: "here", id: id as AccountId, knownDigest },
      ),
    );
    await matchEach(planning, "player", book.players, keyOfRecord, ({ n }, id, knownDigest) =>
      book.setPlayer(n, id === null ? { state: "gone" } : { state: "here", id: id as PlayerId, knownDigest }),
    );
  }
  if (!source.facts.isAboutOthers) return;
  for (const page of pagesOf(book.players)) await matchOthers(planning, page);
}

/** Finds the skins and capes that earlier runs of this source brought. */
export async function matchLooks(planning: Planning): Promise<void> {
  const { book, reads, rules } = planning;
  if ((await reads.findRun(rules.sourceName)) === null) return;
  await matchEach(
    planning,
    "skin",
    book.skins,
    ({ key }) => key,
    // As above.
    ({ n }, id) => book.setSkin(n, id === null ? { state: "gone" } : { state: "here", id: id as SkinId }),
  );
  await matchEach(planning, "cape", book.capeTextures, keyOfRecord, ({ n, source }, id) =>
    book.setTexture(n, id === null ? { state: "gone" } : { state: "here", cape: source.key }),
  );
}

function keyOfRecord({ source }: { readonly source: { readonly key: string } }): string {
  return source.key;
}

/** Tells of each record that came before the number of its row here; null: it was deleted. */
async function matchEach<Row extends { readonly n: number }>(
  { reads, rules }: Planning,
  kind: LinkedKind,
  read: (page: BookPage) => readonly Row[],
  keyOf: (row: Row) => string,
  found: (row: Row, id: number | null, digest: string) => void,
): Promise<void> {
  for (const page of pagesOf(read)) {
    const links = await reads.links(rules.sourceName, kind, page.map(keyOf));
    for (const row of page) {
      const link = links.get(keyOf(row));
      if (link !== undefined) found(row, link.isGone ? null : link.id, link.digest);
    }
  }
}

/** Players of a list or a folder are those that are here, by uuid or else by name. */
async function matchOthers({ book, reads }: Planning, page: readonly BookPlayer[]): Promise<void> {
  const uuidOf = ({ source }: BookPlayer) => (source.uuid === null ? null : parseUuid(source.uuid));
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
      ...{ state: "here", id: found.id, account, showsSkin: found.showsSkin },
      ...{ name: found.name, uuid: found.uuid },
    });
  }
}
