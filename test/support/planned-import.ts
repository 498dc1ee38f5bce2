import type {
  NewAccount,
  PlannedAccount,
  PlannedCape,
  PlannedPlayer,
} from "../../src/domain/model/import-plan.ts";
import type { IncomingTexture } from "../../src/domain/ports/pictures.ts";
import type { PlannedImport } from "../../src/domain/ports/planned-import.ts";
import { newUuid, type TextureHash } from "../../src/kernel/ids.ts";

export type Parts = {
  readonly accounts?: readonly PlannedAccount[];
  readonly capes?: readonly PlannedCape[];
  readonly textures?: readonly IncomingTexture[];
};

/** A finished plan of these parts. */
export function plannedImport({ accounts = [], capes = [], textures = [] }: Parts): PlannedImport {
  const byHash = new Map(textures.map((one) => [one.texture.hash, one]));
  return {
    counts: { accounts: accounts.length, capes: capes.length, textures: textures.length },
    textures: (most) =>
      pagesOf(
        textures.map(({ texture }) => texture.hash),
        most,
      ),
    texture: (hash: TextureHash) => {
      const found = byHash.get(hash);
      if (found === undefined) throw new Error(`The plan has no file of ${hash}`);
      return found;
    },
    capes: (most) => pagesOf(capes, most),
    accounts: (most) => pagesOf(accounts, most),
  };
}

function* pagesOf<Row>(rows: readonly Row[], most: number): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += most) yield rows.slice(from, from + most);
}

/** An account with one player of this name. */
export function plannedAccount(name: string, more: Partial<PlannedAccount> = {}): PlannedAccount {
  return {
    key: `users:${name}`,
    id: null,
    account: newAccount({ mail: `${name.toLowerCase()}@example.org` }),
    aliases: [],
    players: [plannedPlayer(name)],
    skins: [],
    grants: [],
    identity: null,
    suspension: null,
    ...more,
  };
}

export function newAccount(more: Partial<NewAccount> = {}): NewAccount {
  return {
    uuid: newUuid(),
    mail: null,
    mailVerified: true,
    passwordHash: null,
    level: 1,
    language: "en",
    createdAt: 1_500_000_000,
    lastSeenAt: null,
    playersMax: null,
    ...more,
  };
}

export function plannedPlayer(name: string, more: Partial<PlannedPlayer> = {}): PlannedPlayer {
  return {
    key: `players:${name}`,
    id: null,
    name,
    uuid: newUuid(),
    createdAt: 1_500_000_000,
    skin: null,
    cape: null,
    ...more,
  };
}
