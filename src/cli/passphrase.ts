import { passphrase } from "../boot/config/backup-settings.ts";
import { flag } from "../boot/config/options.ts";
import type { Config } from "../boot/config.ts";
import type { Secret } from "../boot/secrets.ts";
import { AppError } from "../kernel/errors.ts";
import { UsageError } from "./command.ts";
import type { Io } from "./io.ts";

/** Options of the commands that make a backup or restore one. */
export const secretOptions = {
  passphraseStdin: flag(
    "read the passphrase from the first line of standard input, not from BACKUP_PASSPHRASE",
  ),
  withoutSecrets: flag("leave the secrets out"),
};

/** The passphrase of the backup; null when there is none. */
export async function readPassphrase(
  { passphraseStdin }: { readonly passphraseStdin: boolean },
  { io, config, name }: { readonly io: Io; readonly config: Config; readonly name: string },
): Promise<Secret | null> {
  if (!passphraseStdin) return config.backup.passphrase;
  try {
    return passphrase.parse(await io.readSecret("Passphrase: "));
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new UsageError([`the passphrase ${cause.message}`], name);
  }
}
