import { flag, optional, required } from "../boot/config/options.ts";
import { exportTo, exportUserTo, type ExportReport } from "../operate/export.ts";
import { identifierKind, json, passphraseStdin, writtenFile } from "./arguments.ts";
import { readPassphrase } from "./backup.ts";
import { command, UsageError, type Context } from "./command.ts";
import { aboutBackup } from "./faults.ts";
import { countText, printable, showProgress } from "./output.ts";
import { abortOnSignal } from "./stop-signal.ts";

/**
 * `export`: writes everything that the community keeps about its people, or all about one of them, and prints
 * how much that was. Exits with 1 and writes nothing over a file that is there, unless `--replace` is given.
 */
export const exportCommand = command({
  name: "export",
  summary: "writes accounts, players, skins and capes into a file for other programs and communities",
  details:
    "A server may be running: the export holds what was there at one moment, and is verified before it gets its name." +
    " docs/export.md describes it; import --from cloakroom reads it. It holds mail addresses: keep it like a password. Hashes of" +
    " passwords are in it only on request, encrypted where BACKUP_PASSPHRASE or --passphrase-stdin gives a passphrase; then an" +
    " import also sees whether it was changed. With --user it is a .zip with all about one person, as the person would get it from" +
    " the console. For the same community make a backup instead.",
  positionals: { file: required(writtenFile("export"), "a .tar.zst, or with --user a .zip") },
  options: {
    user: optional(identifierKind, "all about this one person", "the whole community"),
    withHashes: flag("with the hashes of passwords, so that people sign in as before"),
    passphraseStdin,
    replace: flag("replace FILE if it is an export; it stays until the new one is complete"),
    json,
  },
  run: async ({ file: path, user, replace: replaces, withHashes, passphraseStdin: isTyped }, context) => {
    const place = { path, replaces };
    if (user !== null) {
      if (withHashes || isTyped)
        throw new UsageError(["--user goes with neither --with-hashes nor --passphrase-stdin"], "export");
      return exportUser(context, place, user);
    }
    const { io, loadConfig } = context;
    const { config } = await loadConfig();
    const passphrase = await readPassphrase({ passphraseStdin: isTyped }, { io, config, name: "export" });
    using shown = showProgress(io);
    using stopped = abortOnSignal();
    const options = { ...shown, signal: stopped.signal, withHashes, passphrase };
    const report = await exportTo(config, place, options).catch((cause: unknown) => {
      throw aboutBackup(config.dataDir, path, cause);
    });
    shown[Symbol.dispose]();
    const { textures, hashes } = report.manifest;
    if (textures.lost > 0)
      io.error(`cloakroom: ${textures.lost} textures have no sound file; see cloakroom fsck\n`);
    if (hashes === "clear")
      io.error(
        "cloakroom: the hashes of passwords are not encrypted, because there is no passphrase: keep the file like a password\n",
      );
    return { record: exportRecord(report), text: exportText(report) };
  },
});

async function exportUser(
  { withServices }: Context,
  place: { readonly path: string; readonly replaces: boolean },
  user: string,
) {
  using stopped = abortOnSignal();
  const { signal } = stopped;
  const { path, bytes, name } = await withServices((services, config) =>
    exportUserTo(services, user, { place, signal }).catch((cause: unknown) => {
      throw aboutBackup(config.dataDir, place.path, cause);
    }),
  );
  return {
    record: { file: path, bytes, username: name },
    text: `${path}: ${bytes} bytes, all about ${name === "" ? user : printable(name)}\n`,
  };
}

function exportRecord({ path, bytes, manifest }: ExportReport) {
  const { created, counts, textures, hashes, mac } = manifest;
  return {
    file: path,
    bytes,
    created,
    hashes,
    authenticated: mac !== null,
    ...counts,
    textures: textures.count,
    textures_lost: textures.lost,
  };
}

function exportText({ path, bytes, manifest }: ExportReport): string {
  const { counts, textures, hashes, mac } = manifest;
  const parts = [
    countText(counts.accounts, "account"),
    countText(counts.players, "player"),
    countText(counts.skins, "skin"),
    countText(counts.capes, "cape"),
    countText(textures.count, "texture"),
  ];
  const passwords = {
    none: "it does not contain passwords: people set new ones where it is imported",
    clear: "it contains the hashes of passwords unencrypted: keep it like a password",
    sealed: "it contains the hashes of passwords, encrypted with the passphrase",
  }[hashes];
  const changed = mac === null ? "" : "with the passphrase an import sees whether it was changed\n";
  return `${path}: ${bytes} bytes, ${parts.join(", ")}, verified\n${passwords}\n${changed}`;
}
