import { resolve } from "node:path";
import type {
  ImportSource,
  SourcePlayer,
  SourceProblem,
  SourceTexture,
} from "../../domain/ports/import-source.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { listPages, noPages } from "./list-pages.ts";
import { openPictureFolder, type PictureFolder } from "./picture-folder.ts";

/** Folders of skins and of capes, by the names or uuids of players; null: there is none. */
export type TextureFolders = { readonly skins: string | null; readonly capes: string | null };

const kinds = ["skin", "cape"] as const;
type Kind = (typeof kinds)[number];

/**
 * Textures for players that are here: `<name>.png`, `<uuid>.png`, with or without hyphens. A key is the
 * file's name, so a second run finds what came before. Fails with not_found, invalid or too_large, naming the
 * folder.
 */
export async function openTextures(folders: TextureFolders): Promise<ImportSource> {
  const skins = await openFolder("skin", folders.skins);
  const capes = await openFolder("cape", folders.capes);
  const pictures = [...skins.pictures, ...capes.pictures];
  const place = `textures:${resolve(folders.skins ?? "")}:${resolve(folders.capes ?? "")}`;
  return {
    system: "textures",
    place: new Bun.CryptoHasher("sha256").update(place).digest("hex"),
    facts: { accounts: 0, uuidRule: null, isAboutOthers: true, notes: [...skins.notes, ...capes.notes] },
    accounts: noPages,
    players: () => listPages(playersOf(pictures)),
    textures: () => listPages(pictures.map(toTexture), [...skins.problems, ...capes.problems]),
    holdings: noPages,
    identities: noPages,
    factors: noPages,
    invites: noPages,
    readTexture: async ({ kind, file }, bytesMax) =>
      (await (kind === "skin" ? skins : capes).folder?.read(file, bytesMax)) ?? null,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

type Picture = { readonly kind: Kind; readonly file: string; readonly owner: string };

type OpenFolder = {
  readonly folder: PictureFolder | null;
  readonly pictures: readonly Picture[];
  readonly problems: readonly SourceProblem[];
  readonly notes: readonly string[];
};

async function openFolder(kind: Kind, path: string | null): Promise<OpenFolder> {
  if (path === null) return { folder: null, pictures: [], problems: [], notes: [] };
  const folder = await openPictureFolder(path);
  const { names, problems, others } = await folder.list();
  return {
    folder,
    pictures: names.map((file) => ({ kind, file, owner: file.slice(0, -".png".length) })),
    problems: problems.map(({ name, reason }) => ({ key: `${kind}:${name}`, kind, reason })),
    notes: others === 0 ? [] : [`${path}: entries that are no PNG files: ${others}`],
  };
}

function toTexture({ kind, file, owner }: Picture): SourceTexture {
  // A uuid says nothing to people.
  const name = parseUuid(owner) === null ? owner : null;
  return { key: `${kind}:${file}`, kind, name, model: null, file, createdAt: null };
}

/** A player for each name or uuid, with the skin and the cape of that spelling. */
function playersOf(pictures: readonly Picture[]): readonly SourcePlayer[] {
  const byOwner = new Map<string, Partial<Record<Kind, string>>>();
  for (const { kind, file, owner } of pictures) {
    const key = parseUuid(owner) ?? owner;
    const shown = byOwner.get(key) ?? {};
    shown[kind] ??= `${kind}:${file}`;
    byOwner.set(key, shown);
  }
  return [...byOwner.keys()].toSorted().map((owner) => {
    const { skin = null, cape = null } = byOwner.get(owner) ?? {};
    const uuid = parseUuid(owner);
    const name = uuid === null ? owner : "";
    return {
      key: `textures:${owner}`,
      account: null,
      name,
      uuid,
      skin,
      skinModel: null,
      cape,
      createdAt: null,
    };
  });
}
