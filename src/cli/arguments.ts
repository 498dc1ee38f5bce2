/** Arguments that several commands take. */
import { kind, path, refuse, text } from "../boot/config/kinds.ts";
import { flag, required } from "../boot/config/options.ts";

/** A user, as one argument among others: id, UUID, username or mail address. */
export const identifierKind = text("IDENTIFIER");

/** A user, as the only positional argument. */
export const identifier = required(identifierKind, "a user's id, uuid, username or mail address");

/** For every command that makes or lists something. */
export const json = flag("print JSON");

/** For every command that seals or opens something. */
export const passphraseStdin = flag(
  "read the passphrase from the first line of standard input, not from BACKUP_PASSPHRASE",
);

/** The path of a file that is written and read again. A person who types `-` means standard output. */
export function writtenFile(what: string) {
  return kind("FILE", (given) =>
    given === "-"
      ? refuse(
          `must be a file: no ${what} is written to standard output, because it is read again before it counts`,
        )
      : path("FILE").parse(given),
  );
}
