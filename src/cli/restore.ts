import { path } from "../boot/config/kinds.ts";
import { flag, required } from "../boot/config/options.ts";
import { restoreFrom, type RestoreReport } from "../operate/restore.ts";
import { secretsIn } from "../domain/backup/manifest.ts";
import { abortOnSignal } from "./abort-on-signal.ts";
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
    "No server or command may be using the data folder. Everything in the backup is verified before anything is replaced;" +
    " with its passphrase, also that it was not changed since it was made. A backup of an older version is brought up to date at the next start. A folder that was put aside can be given in place" +
    " of a file: that is the way back. It is copied, and stays.",
  settings: "taken",
  positionals: { file: required(path("FILE"), "a backup, or a folder that a restore put aside") },
  options: {
    ...secretOptions,
    allowUnauthenticated: flag(
      "with a passphrase: take a backup that was made without one, or before version 0.2, though nothing shows whether it was changed",
    ),
    json,
  },
  run: async ({ file, json, ...given }, { io, loadConfig }) => {
    const { config } = await loadConfig();
    const passphrase = await readPassphrase(given, { io, config, name });
    using shown = showProgress(io);
    using stopped = abortOnSignal();
    const choice = {
      takesSecrets: !given.withoutSecrets,
      passphrase: passphrase?.reveal() ?? null,
      allowUnauthenticated: given.allowUnauthenticated,
    };
    const options = { ...shown, signal: stopped.signal, choice };
    const report = await restoreFrom(config, file, options).catch((cause: unknown) => {
      throw aboutBackup(config.dataDir, file, cause);
    });
    shown[Symbol.dispose]();
    const { manifest, authenticity, textures, leftOut, before } = report;
    if (authenticity === "unchecked")
      io.error(
        "cloakroom: whether the backup was changed since it was made was not checked: that needs its passphrase\n",
      );
    for (const one of leftOut) io.error(`cloakroom: not restored: ${one}\n`);
    if (textures !== null && textures.lost > 0)
      io.error(`cloakroom: ${textures.lost} textures have no sound file; see cloakroom fsck\n`);
    if (json) return io.out(jsonText({ data_dir: config.dataDir, before, ...recordOf(report) }));
    io.out(`restored ${config.dataDir}${summaryOf(report)}\n`);
    if (manifest !== null && secretsIn(manifest) === "none")
      io.out("the backup holds no secrets: those of the data folder stay\n");
    if (before !== null)
      io.out(`what was there is in ${before}\nthe way back: cloakroom restore '${before}'\n`);
  },
});

function recordOf({ manifest, authenticity, textures, leftOut }: RestoreReport) {
  const about = manifest && { created: manifest.created, program: manifest.program, schema: manifest.schema };
  const counts = textures && { textures: textures.count, textures_lost: textures.lost };
  return { ...about, authenticity, ...counts, left_out: leftOut };
}

function summaryOf({ manifest, textures }: RestoreReport): string {
  const origin =
    manifest === null ? "" : ` from the backup of ${manifest.created} (version ${manifest.program})`;
  return textures === null ? origin : `${origin}, ${textures.count} textures`;
}
