/**
 * The files beside a database that a start reads, read by its own readers, for tasks that bring such files to
 * a start.
 */
import { loadDefaultSkins } from "../adapters/default-skins/default-skins.ts";
import { ConfigError, type LoadedConfig } from "../boot/config.ts";
import { dataFolder } from "../boot/data-folder.ts";
import { keysOfFolder } from "../boot/engines.ts";
import { loadMailTexts } from "../boot/mail.ts";
import { keysReadBy } from "../boot/secrets.ts";
import { AppError } from "../kernel/errors.ts";

/** A file that keeps a server from starting. */
export type UnusableFile = {
  readonly isSecret: boolean;
  /** The start's words about it, with its path in the folder. */
  readonly message: string;
};

/**
 * Reads the keys that no setting replaces, the default skins and the mail texts of a data folder as a start
 * with these settings does, and returns those that the start refuses. Makes none. A missing file is none: a
 * start makes it, or has its own.
 */
export async function unusableFiles(
  path: string,
  { jwtSecret, config }: Pick<LoadedConfig, "jwtSecret" | "config">,
): Promise<readonly UnusableFile[]> {
  const folder = dataFolder(path);
  const keys = keysOfFolder(path);
  const readers = [
    ...keysReadBy({ jwtSecret, webhookSecret: config.webhooks.secret }).map((kind) => ({
      isSecret: true,
      read: (): Promise<unknown> => keys.find(kind),
    })),
    { isSecret: false, read: () => loadDefaultSkins(folder.defaultSkins) },
    { isSecret: false, read: () => loadMailTexts({ dataDir: path }) },
  ];
  const found: UnusableFile[] = [];
  for (const { isSecret, read } of readers) {
    try {
      await read();
    } catch (cause) {
      if (!(cause instanceof AppError || cause instanceof ConfigError)) throw cause;
      found.push({ isSecret, message: cause.message.replaceAll(`${path}/`, "") });
    }
  }
  return found;
}
