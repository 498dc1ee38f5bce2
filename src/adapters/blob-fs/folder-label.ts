import { link, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  flawedLabel,
  parsePlaceLabel,
  placeLabelName,
  placeLabelText,
} from "../../domain/model/place-label.ts";
import type { LabelledPlace } from "../../domain/ports/place-label.ts";
import { makeFolder, moveInto, syncFolder, writeNew } from "../../kernel/durable-files.ts";
import { AppError, codeOf } from "../../kernel/errors.ts";
import { newUuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainFile } from "../../kernel/plain-files.ts";
import { needingSpace } from "./blob-store.ts";

/** What a label's name begins with until it is whole. A killed process leaves it. */
export const labelDraftPrefix = `.${placeLabelName}-`;

/** The label of a folder of textures, which need not exist before one is left. */
export function folderLabel(folder: string): LabelledPlace {
  const path = join(folder, placeLabelName);
  const readLabel = async () => {
    try {
      return parsePlaceLabel(await readPlainFile(path, limits.operatorFileBytesMax));
    } catch (error) {
      // A folder, or far too large.
      if (error instanceof AppError) return flawedLabel({ kind: "broken" });
      const code = codeOf(error) ?? "";
      if (code === "ENOENT") return flawedLabel(null);
      if (!withoutRights.has(code)) throw error;
      return flawedLabel({ kind: "closed", reason: await closedReason(path) });
    }
  };
  const write = (...given: Parameters<typeof writeDraft>) => needingSpace(writeDraft(...given));
  /** Writes the label under a name that no reader knows, and gives it its name. */
  const writeDraft = async (text: string, name: (draft: string) => Promise<void>): Promise<void> => {
    await makeFolder(folder);
    const draft = join(folder, `${labelDraftPrefix}${newUuid()}`);
    await writeNew(draft, text);
    try {
      await name(draft);
    } finally {
      await rm(draft, { force: true });
    }
  };
  return {
    where: folder,
    kind: "folder",
    readLabel,
    leaveLabel: async (id, community) => {
      const text = placeLabelText(id, community);
      await write(text, async (draft) => {
        await nameNew(draft, path, text);
        await syncFolder(folder);
      });
      return (await readLabel()).id;
    },
    replaceLabel: (id, community) => write(placeLabelText(id, community), (draft) => moveInto(draft, path)),
  };
}

const withoutRights: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);

async function closedReason(path: string): Promise<string> {
  const uid = (await stat(path).catch(() => null))?.uid;
  const owner =
    uid === undefined ? "" : `: it belongs to user ${uid}, and this process is user ${process.getuid?.()}`;
  return `${path} may not be read${owner}`;
}

const withoutLinks: ReadonlySet<string> = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);

/**
 * Gives the draft's content this name, unless a file has it. A link, unlike a rename, never replaces a file.
 */
async function nameNew(draft: string, path: string, text: string): Promise<void> {
  try {
    await link(draft, path).catch((error: unknown) => {
      if (!withoutLinks.has(codeOf(error) ?? "")) throw error;
      // A reader that meets it half-written refuses it, and finds it whole at its next start.
      return writeNew(path, text);
    });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
