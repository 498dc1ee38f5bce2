import { resolve } from "node:path";
import { unknownAccount } from "../../domain/import/unknown-account.ts";
import type { ImportSource, SourceAccount, SourcePlayer } from "../../domain/ports/import-source.ts";
import { PlainError } from "../../kernel/errors.ts";
import { placeOf } from "./database.ts";
import type { SourceGiven } from "./given.ts";
import { listPages, noPages } from "./list-pages.ts";
import { type NamedUuid, readNamesFile } from "./names-file.ts";

/**
 * Opens a list of names and uuids (`readNamesFile`): an account and a player for each. They have no passwords
 * and no addresses, so the accounts that come are claimed. The keys are the uuids, so a longer list can be
 * imported later. Fails as `readNamesFile` does.
 */
export async function openNames({ file }: SourceGiven): Promise<ImportSource> {
  if (file === null) throw new PlainError("invalid", "names needs its list: --file");
  const { names, problems } = await readNamesFile(file);
  const sorted = names.toSorted((one, other) => (one.uuid < other.uuid ? -1 : 1));
  const faults = problems.map(({ at, reason }) => ({ key: at, kind: "account" as const, reason }));
  return {
    system: "names",
    place: placeOf({ engine: "sqlite", path: resolve(file) }, ["names"]),
    facts: { accounts: names.length, uuidRule: null, isAboutOthers: true, notes: [] },
    accounts: () => listPages(sorted.map(toAccount), faults),
    players: () => listPages(sorted.map(toPlayer)),
    textures: noPages,
    holdings: noPages,
    identities: noPages,
    factors: noPages,
    invites: noPages,
    readTexture: async () => null,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function toAccount({ uuid }: NamedUuid): SourceAccount {
  return { key: `names:${uuid}`, ...unknownAccount };
}

function toPlayer({ uuid, name }: NamedUuid): SourcePlayer {
  const key = `names:${uuid}`;
  return { key, account: key, name, uuid, skin: null, skinModel: null, cape: null, createdAt: null };
}
