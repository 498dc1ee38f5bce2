import { path } from "../boot/config/kinds.ts";
import { required } from "../boot/config/options.ts";
import { restoreFrom } from "../boot/restore.ts";
import { secretsIn, type Manifest } from "../domain/backup/manifest.ts";
import { command } from "./command.ts";
import { aboutBackup } from "./data-folder-faults.ts";
import { json, jsonText } from "./output.ts";
import { readPassphrase, secretOptions } from "./passphrase.ts";
import { showProgress } from "./progress.ts";

const name = "restore";

export const restore = command({
  name,
  summary: "puts a backup into the data folder, and what was there aside",
  details:
    "No server or command may be using the data folder. Everything in the backup is verified before anything is replaced. A" +
    " backup of an older version is brought up to date at the next start. A folder that was put aside can be given in place" +
    " of a file: that is the way back. It is copied, and stays.",
  settings: "taken",
  positionals: { file: required(path("FILE"), "a backup, or a folder that a restore put aside") },
  options: { ...secretOptions, json },
  run: async ({ file, json, ...given }, { io, loadConfig }) => {
    const { config } = await loadConfig();
    const passphrase = await readPassphrase(given, { io, config, name });
    using shown = showProgress(io);
    const secrets = { taken: !given.withoutSecrets, passphrase: passphrase?.reveal() ?? null };
    const { manifest, before } = await restoreFrom(config, file, { ...shown, secrets }).catch(
      (cause: unknown) => {
        throw aboutBackup(config.dataDir, file, cause);
      },
    );
    shown[Symbol.dispose]();
    if (json)
      return io.out(jsonText({ data_dir: config.dataDir, before, ...(manifest && recordOf(manifest)) }));
    io.out(`restored ${config.dataDir}${manifest === null ? "" : summaryOf(manifest)}\n`);
    if (manifest !== null && secretsIn(manifest) === "none")
      io.out("the backup holds no secrets: those of the data folder stay\n");
    if (before !== null)
      io.out(`what was there is in ${before}\nthe way back: cloakroom restore '${before}'\n`);
  },
});

function recordOf({ created, program, schema, textures }: Manifest) {
  return { created, program, schema, textures: textures.count, textures_lost: textures.lost };
}

function summaryOf({ created, program, textures }: Manifest): string {
  return ` from the backup of ${created} (version ${program}), ${textures.count} textures`;
}
