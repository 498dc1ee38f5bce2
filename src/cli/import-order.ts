/** What the options of `import` ask for. */
import type { Option } from "../boot/config/options.ts";
import { AppError } from "../kernel/errors.ts";
import { missingFlags, readAddress, readUuids } from "../operate/import/source.ts";
import type { ImportOrder } from "../operate/import/plan-import.ts";
import type { Secret } from "../boot/secrets.ts";
import { typedPassphrase } from "./backup.ts";
import { UsageError } from "./command.ts";
import type { importOptions } from "./import-options.ts";
import type { Io } from "./io.ts";

type Options = typeof importOptions;

/** The values of the options. */
export type ImportValues = {
  readonly [Key in keyof Options]: Options[Key] extends Option<infer Value> ? Value : never;
};

/** Reads what is asked for. Throws `UsageError` where options do not fit. */
export async function importOrder(values: ImportValues, io: Io): Promise<ImportOrder> {
  const address = await readDsn(values, io);
  const given = {
    system: values.from,
    address,
    file: values.file,
    textures: values.textures,
    capes: values.capesDir,
    launchServer: values.launchserver,
    env: values.env,
    prefix: values.prefix,
    table: values.table,
    timeZone: values.timeZone,
  };
  const missing = missingFlags(given);
  if (missing.length > 0)
    throw new UsageError([`--from ${values.from} needs ${missing.join(" or ")}`], "import");
  return {
    given,
    passphrase: await readPassphrase(values, io),
    sourceName: values.sourceName,
    report: values.report,
    choices: {
      limit: values.limit,
      onNameClash: values.onNameClash,
      onBadName: values.onBadName,
      onMailClash: values.onMailClash,
      onNoMail: values.onNoMail,
      trustsMail: values.trustMail,
      uuid: values.uuid,
      uuids: values.uuids === null ? new Map() : await readUuids(values.uuids),
      onUuidClash: values.onUuidClash,
      onNoPlayer: values.onNoPlayer,
      staff: values.staff,
      onSuspended: values.onSuspended,
      downscales: values.downscale,
      wardrobeNewest: values.wardrobeNewest,
      capes: values.capes,
      takesFactors: !values.noFactors,
      passwordKind: values.passwordKind,
      updates: values.update,
    },
  };
}

async function readPassphrase({ passphraseStdin, dsnStdin }: ImportValues, io: Io): Promise<Secret | null> {
  if (!passphraseStdin) return null;
  if (dsnStdin) throw new UsageError(["--dsn-stdin and --passphrase-stdin exclude each other"], "import");
  return await typedPassphrase(io, "import");
}

/** The address of the source's database, by one of the three ways; null: it was not given. */
async function readDsn(
  { dsn, dsnStdin, file }: ImportValues,
  io: Io,
): Promise<ImportOrder["given"]["address"]> {
  if (dsn !== null && dsnStdin) throw new UsageError(["--dsn and --dsn-stdin exclude each other"], "import");
  if (dsn !== null) return parsed("--dsn", dsn, true);
  if (dsnStdin) return parsed("the line on standard input", (await io.readSecret("Address: ")).trim(), false);
  const kept = io.environment["IMPORT_DSN"] ?? "";
  // What is typed beats the environment.
  return kept === "" || file !== null ? null : parsed("IMPORT_DSN", kept, false);
}

function parsed(name: string, text: string, isSeen: boolean) {
  try {
    return readAddress(text, { isSeen });
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new UsageError([`${name} ${cause.message}`], "import");
  }
}
