import { passphrase } from "../boot/config/backup-settings.ts";
import { flag } from "../boot/config/options.ts";
import type { Config } from "../boot/config.ts";
import type { Secret } from "../boot/secrets.ts";
import { AppError } from "../kernel/errors.ts";
import { UsageError } from "./command.ts";
import type { Io } from "./io.ts";

/** Options of the commands that put secrets into a backup or take them out. */
export const secretOptions = {
  passphraseStdin: flag(
    "read the passphrase from the first line of standard input, not from BACKUP_PASSPHRASE",
  ),
  withoutSecrets: flag("leave the secrets out"),
};

type Given = { readonly passphraseStdin: boolean; readonly withoutSecrets: boolean };

/** The passphrase for the secrets; null when there is none. */
export async function readPassphrase(
  { passphraseStdin, withoutSecrets }: Given,
  { io, config, name }: { readonly io: Io; readonly config: Config; readonly name: string },
): Promise<Secret | null> {
  if (!passphraseStdin) return config.backup.passphrase;
  if (withoutSecrets)
    throw new UsageError(["--passphrase-stdin and --without-secrets exclude each other"], name);
  try {
    return passphrase.parse(await io.readSecret("Passphrase: "));
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new UsageError([`the passphrase ${cause.message}`], name);
  }
}
