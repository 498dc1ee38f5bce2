/**
 * The settings of where the data is (docs/guide/settings.md): the engine, the store of files, and this
 * process as one of several.
 */
import { join } from "node:path";
import { parseAddress, type PostgresAddress } from "../../adapters/postgres/connections/address.ts";
import { ownConnections } from "../../adapters/postgres/connections/own-connections.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainTextSync } from "../../kernel/plain-files.ts";
import type { Secret } from "../secrets.ts";
import { bucketName, keyPrefix, type BucketAccess } from "./backup-settings.ts";
import { hidden, integer, kind, refuse, boolean, type Kind } from "./kinds.ts";
import { ownFolder } from "./own-folder.ts";
import { perMachine, shared, type Setting } from "./setting.ts";

/** A PostgreSQL database, and how many connections this process may have to it. */
export type DatabaseSetting = {
  readonly address: PostgresAddress;
  /** A replica that may serve the reads of delivery; null: the primary serves all reads. */
  readonly readAddress: PostgresAddress | null;
  /** Connections for requests. */
  readonly poolMax: number;
  /** Whether statements are prepared: poolers in transaction mode mix them up. */
  readonly prepared: boolean;
  /** Seals the keys that the database keeps. */
  readonly jwtSecret: Secret;
  /** Where this node notes the newest timelines of its servers. */
  readonly timelineFile: string;
};

/** Where texture files are: in the data folder, or in a bucket. */
type BlobPlace = "files" | { readonly bucket: string; readonly prefix: string };

const databaseUrl: Kind<PostgresAddress> = hidden("URL", (given) => {
  const address = parseAddress(given);
  if (address.caFile !== null && !holdsCertificate(address.caFile)) {
    return refuse("must name a file of certificates (PEM) in sslrootcert that can be read");
  }
  return address;
});

function holdsCertificate(file: string): boolean {
  try {
    return readPlainTextSync(file, limits.operatorFileBytesMax).includes("-----BEGIN CERTIFICATE-----");
  } catch {
    return false;
  }
}

// Not repeated in messages: keys may stand in it by mistake.
export const blobPlace: Kind<BlobPlace> = hidden("files|s3://…", (given) => {
  if (given === "files") return "files";
  const [, bucket = "", prefix = ""] = /^s3:\/\/([^/?#]+)(?:\/([^?#\s]*))?$/.exec(given) ?? [];
  if (bucket === "") return refuse("must be files or an address like s3://bucket/prefix");
  const beginning = keyPrefix.parse(prefix);
  return { bucket: bucketName.parse(bucket), prefix: beginning === "/" ? "" : beginning };
});

/** Where a move puts the database: into PostgreSQL, or into a data folder. */
export type MoveTarget =
  | { readonly kind: "postgres"; readonly address: PostgresAddress }
  | { readonly kind: "folder"; readonly path: string };

/** Not repeated in messages: a password may stand in it. */
export const moveTarget: Kind<MoveTarget> = hidden("postgres://…|FOLDER", (given) => {
  if (/^postgres(?:ql)?:/i.test(given)) return { kind: "postgres", address: parseAddress(given) };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given))
    return refuse("must be a folder or an address like postgres://user@host/name");
  return { kind: "folder", path: ownFolder("FOLDER").parse(given) };
});

const nodeName: Kind<string> = kind("NAME", (given) =>
  /^[\w.-]{1,64}$/.test(given)
    ? given
    : refuse("must be 1 to 64 letters, digits, dots, dashes and underscores"),
);

/** Rows of the table in `settings.ts`. */
export const storageSettings = {
  DATABASE_URL: perMachine.optional(
    databaseUrl,
    "PostgreSQL, postgres://user:password@host/name; of several hosts, separated by commas, the one that takes writes is used, of several the one that was promoted last;" +
      " ?sslmode=… and &sslrootcert=FILE may follow. Needs JWT_SECRET. With a password not as a flag",
    "SQLite in DATA_DIR",
  ),
  DATABASE_POOL_MAX: perMachine.withDefault(
    integer(1, 500),
    "10",
    `connections to PostgreSQL for requests; ${ownConnections} more serve background work and changes by other nodes`,
  ),
  DATABASE_PREPARED: perMachine.withDefault(
    boolean,
    "true",
    "false: no prepared statements, and no settings when connecting, for a pooler like PgBouncer before PostgreSQL",
  ),
  DATABASE_READ_URL: perMachine.optional(
    databaseUrl,
    "replicas of DATABASE_URL, in its form: they answer what shows players, never older than a second",
    "none",
  ),
  BLOBS: shared.withDefault(
    blobPlace,
    "files",
    "where textures are: files (in DATA_DIR) or s3://bucket/prefix, with S3_ENDPOINT, S3_REGION and the keys",
  ),
  NODE_NAME: perMachine.optional(
    nodeName,
    "this server's name among those of one DATABASE_URL, in its log and metrics",
    "the host's name and a random part",
  ),
  DRAIN_SECONDS: perMachine.withDefault(
    integer(0, 600),
    "0",
    "seconds between the signal to stop and the end of listening: /health/ready is 503, and a balancer leaves this server out",
  ),
  PICTURE_MAX_AGE: shared.withDefault(
    integer(0, 31_536_000),
    "0",
    "seconds for which a CDN may keep pictures of heads and bodies (s-maxage); 0: as browsers, for a minute",
  ),
} as const;

type Given = (name: string) => boolean;

type AllStorageValues = {
  readonly [Name in keyof typeof storageSettings]: (typeof storageSettings)[Name] extends Setting<infer Value>
    ? Value
    : never;
} & { readonly JWT_SECRET: Secret | null; readonly DATA_DIR: string };

/** Faults of these settings together; `isFlag` for those that other users of the machine can see. */
export function storageFaults(
  values: Partial<AllStorageValues>,
  isGiven: Given,
  isFlag: Given,
): readonly string[] {
  const faults: string[] = [];
  const isOnPostgres = isGiven("DATABASE_URL");
  if (isOnPostgres && !isGiven("JWT_SECRET"))
    faults.push(
      "JWT_SECRET must be given with DATABASE_URL, the same one on every node: openssl rand -base64 48 makes one",
    );
  if (isGiven("DATABASE_READ_URL") && !isOnPostgres)
    faults.push("DATABASE_URL must be given with DATABASE_READ_URL");
  for (const name of ["DATABASE_URL", "DATABASE_READ_URL"] as const) {
    const address = values[name] ?? null;
    if (address !== null && isFlag(name) && address.password() !== null)
      faults.push(
        `${name} must not hold a password as a flag, which other users of the machine see: set it in the environment or in the file of --config`,
      );
  }
  return faults;
}

/** What these settings say; the bucket of textures has the keys of backups. */
export function storageConfig(values: AllStorageValues, access: BucketAccess | null) {
  const { BLOBS: place } = values;
  return {
    /** Null: SQLite in the data folder. */
    database: databaseOf(values),
    /** Null: textures are files in the data folder. */
    blobs: place === "files" || access === null ? null : Object.freeze({ ...access, ...place }),
    /** Null: made from the host's name. */
    nodeName: values.NODE_NAME,
    drainSeconds: values.DRAIN_SECONDS,
    /** How long a CDN may keep pictures of heads and bodies; 0: as browsers. */
    pictureMaxAge: values.PICTURE_MAX_AGE,
  };
}

/**
 * Where a node of this folder notes the newest timelines of the servers that it has used, of each cluster.
 */
export function timelineFile(dataDir: string): string {
  return join(dataDir, "database-timelines");
}

function databaseOf(values: AllStorageValues): DatabaseSetting | null {
  const { DATABASE_URL: address, JWT_SECRET: jwtSecret } = values;
  if (address === null || jwtSecret === null) return null;
  return Object.freeze({
    address,
    readAddress: values.DATABASE_READ_URL,
    poolMax: values.DATABASE_POOL_MAX,
    prepared: values.DATABASE_PREPARED,
    jwtSecret,
    timelineFile: timelineFile(values.DATA_DIR),
  });
}
