import { resolve } from "node:path";
import type {
  ImportSource,
  SourcePlayer,
  SourceProblem,
  SourceTexture,
} from "../../domain/ports/import-source.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { listPages, noPages } from "./list-pages.ts";
import { placeOf } from "./database.ts";
import type { SourceGiven } from "./given.ts";
import { listTextures, readTextureFile } from "./texture-folder.ts";

type Kind = SourceTexture["kind"];

/**
 * Opens folders of textures for players that are here, of skins (`--textures`) and of capes (`--capes-dir`):
 * `<name>.png`, `<uuid>.png`, with or without hyphens. A key is the file's name, so a second run finds what
 * came before. Fails with a sentence that names the folder.
 */
export async function openTextures({ textures, capes }: SourceGiven): Promise<ImportSource> {
  const folders = { skin: await openFolder("skin", textures), cape: await openFolder("cape", capes) };
  const both = [folders.skin, folders.cape];
  const pictures = both.flatMap((folder) => folder.pictures);
  const problems = both.flatMap((folder) => folder.problems);
  const paths = [textures, capes].map((path) => (path === null ? "" : resolve(path)));
  return {
    system: "textures",
    place: placeOf({ engine: "sqlite", path: "" }, ["textures", ...paths]),
    facts: {
      accounts: 0,
      uuidRule: null,
      isAboutOthers: true,
      notes: both.flatMap((folder) => folder.notes),
    },
    accounts: noPages,
    players: () => listPages(playersOf(pictures)),
    textures: () => listPages(pictures.map(toTexture), problems),
    holdings: noPages,
    identities: noPages,
    factors: noPages,
    invites: noPages,
    readTexture: async ({ kind, file }, bytesMax) => {
      const { path } = folders[kind];
      return path === null ? null : await readTextureFile(path, file, bytesMax);
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

type Picture = { readonly kind: Kind; readonly file: string; readonly owner: string };

type OpenFolder = {
  readonly path: string | null;
  readonly pictures: readonly Picture[];
  readonly problems: readonly SourceProblem[];
  readonly notes: readonly string[];
};

async function openFolder(kind: Kind, path: string | null): Promise<OpenFolder> {
  if (path === null) return { path, pictures: [], problems: [], notes: [] };
  const { names, problems, others } = await listTextures(path);
  return {
    path,
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
