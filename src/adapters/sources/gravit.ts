import type { ImportSource } from "../../domain/ports/import-source.ts";
import { PlainError } from "../../kernel/errors.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { SourceTools } from "./database.ts";
import { openGivenDatabase, refuseH2, type SourceGiven } from "./given.ts";
import { type GravitSettings, readGravitSettings } from "./gravit-settings.ts";
import {
  type Cells,
  type Look,
  type Looks,
  openSignInTable,
  passwordOf,
  type SignInRow,
} from "./sign-in-table.ts";
import { hasTextureFile, readTextureFile, requireFolder } from "./texture-folder.ts";

/**
 * Opens the table that a LaunchServer signs in from, by its `LaunchServer.json` (`--launchserver`), and the
 * folders of skins and capes. Fails with a sentence that names cause and cure.
 */
export async function openGravit(given: SourceGiven, tools: SourceTools): Promise<ImportSource> {
  refuseH2(given);
  if (given.launchServer === null) {
    const rule = "gravit needs the LaunchServer's settings, which name table and columns: --launchserver";
    throw new PlainError("invalid", rule);
  }
  const settings = await readGravitSettings(given.launchServer);
  const looks = await openLooks(given, settings);
  const { columns, withoutPasswords } = settings;
  return await openSignInTable(await openGivenDatabase(given, tools), {
    system: "gravit",
    table: given.table ?? settings.table,
    needs: [columns.uuid, columns.name, columns.password],
    wants: [],
    // The uuid of players who never played may be missing.
    keys: [columns.name],
    hint: `look at auth.core in ${given.launchServer}`,
    read: (cells) => readRow(cells, settings),
    uuidRule: null,
    notes: withoutPasswords === null ? [] : [`no passwords come over: ${withoutPasswords}`],
    looks,
  });
}

function readRow(cells: Cells, settings: GravitSettings): SignInRow {
  const { columns } = settings;
  const uuid = cells(columns.uuid);
  const name = cells(columns.name);
  return {
    id: uuid?.toLowerCase() ?? name ?? "",
    name,
    mail: null,
    password:
      settings.withoutPasswords === null ? passwordOf(cells(columns.password), settings.passwordKind) : null,
    uuid,
    hasFactor: false,
    createdAt: null,
    lastSeenAt: null,
  };
}

async function openLooks(
  { textures, capes }: SourceGiven,
  { skinName, capeName }: GravitSettings,
): Promise<Looks | null> {
  const folders = { skin: textures, cape: capes };
  const names = { skin: skinName, cape: capeName };
  const kinds = (["skin", "cape"] as const).filter((kind) => folders[kind] !== null);
  if (kinds.length === 0) return null;
  for (const kind of kinds) await requireFolder(folders[kind] ?? "");
  return {
    of: (player) =>
      kinds.flatMap((kind): readonly Look[] => {
        const files = fileNames(names[kind], player);
        const file = files.find((name) => hasTextureFile(folders[kind] ?? "", name));
        return file === undefined ? [] : [{ kind, file }];
      }),
    read: async ({ kind, file }, bytesMax) => {
      const folder = folders[kind];
      return folder === null ? null : await readTextureFile(folder, file, bytesMax);
    },
  };
}

/** What texture providers call files, where the settings do not say. */
const usualNames = ["%username%.png", "%uuid%.png", "%hash%.png"];

/** The names that a player's file may have: of its name, its uuid, and its uuid without hyphens. */
function fileNames(
  template: string | null,
  player: { readonly name: string; readonly uuid: string | null },
): readonly string[] {
  const uuid = parseUuid(player.uuid ?? "") ?? "";
  const words = { username: player.name, uuid, hash: uuid.replaceAll("-", "") };
  const templates = template === null ? usualNames : [template];
  return templates
    .filter((name) => uuid !== "" || !/%(?:uuid|hash)%/.test(name))
    .map((name) => name.replace(/%(username|uuid|hash)%/g, (_, word: keyof typeof words) => words[word]));
}
