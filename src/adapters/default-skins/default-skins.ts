import { existsSync } from "node:fs";
import { join } from "node:path";
import classicPath from "../../domain/textures/defaults/classic.png" with { type: "file" };
import slimPath from "../../domain/textures/defaults/slim.png" with { type: "file" };
import { sha256Hex } from "../../domain/textures/hashes.ts";
import type { DefaultSkin, DefaultSkins } from "../../domain/textures/pictures.ts";
import { importSkin } from "../../domain/textures/import.ts";
import type { SkinModel } from "../../domain/model/texture.ts";
import { AppError, PlainError } from "../../kernel/errors.ts";
import { readPlainFile } from "../../kernel/plain-files.ts";

/** Independent of the limits for users: the operator chooses these files. */
const rules = { skinWidthMax: 1024, bytesMax: 4 * 1024 * 1024 } as const;

/**
 * Loads the default skins: the operator's `classic.png` and `slim.png` where the folder has them, else our
 * own. They pass the same checks as uploads. Fails with invalid and the name of a file that does not pass.
 */
export async function loadDefaultSkins(folder: string): Promise<DefaultSkins> {
  const load = (model: SkinModel, embedded: string): Promise<DefaultSkin> => {
    const replaced = join(folder, `${model}.png`);
    return existsSync(replaced) ? readDefault(replaced, model) : readEmbedded(embedded);
  };
  return { classic: await load("classic", classicPath), slim: await load("slim", slimPath) };
}

/** Our own are as an import leaves them (a test compares), so a start need not import them: 6 ms. */
async function readEmbedded(path: string): Promise<DefaultSkin> {
  const png = await Bun.file(path).bytes();
  return { png, digest: sha256Hex(png), width: 64, height: 64 };
}

async function readDefault(path: string, model: SkinModel): Promise<DefaultSkin> {
  try {
    const { png, texture } = await importSkin(await readPlainFile(path, rules.bytesMax), model, rules);
    return { png, ...texture };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new PlainError(error.kind, `The default skin ${path}: ${error.message}`, { cause: error });
  }
}
