/** The settings of backups that need rules of their own. */
import { secretOf, type Secret } from "../secrets.ts";
import { hidden, kind, refuse, type Kind } from "./kinds.ts";

/** How an S3 service is reached. */
export type BucketAccess = {
  /** Null: Amazon's, chosen by the region. */
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly accessKeyId: string;
  readonly secretAccessKey: Secret;
};

/** A bucket of an S3 service. */
export type BucketSetting = BucketAccess & {
  readonly bucket: string;
  /** The beginning of every name: empty, or with a slash at its end. */
  readonly prefix: string;
};

/** Five fields or a nickname, in the machine's time zone. */
export const cronSchedule: Kind<string> = kind("CRON", (given) => {
  const rule = 'must be five fields of cron that come true some day ("30 4 * * *") or a word like @daily';
  try {
    return Bun.cron.parse(given) === null ? refuse(rule) : given;
  } catch {
    // Bun's message does not name the setting.
    return refuse(rule);
  }
});

/** What nodes compare of it. */
export function cronWords(given: string | null): string | null {
  return given === null ? null : given.trim().toLowerCase().split(/\s+/).join(" ");
}

const passphraseLengthMin = 12;

export const passphrase: Kind<Secret> = hidden("SECRET", (given) =>
  given.length >= passphraseLengthMin
    ? secretOf(given)
    : refuse(`must have at least ${passphraseLengthMin} characters`),
);

export const bucketName: Kind<string> = kind("NAME", (given) =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/i.test(given)
    ? given
    : refuse("must be the name of a bucket: 3 to 63 letters, digits, dots and dashes"),
);

/** The beginning of names in a bucket: without a slash at its start, with one at its end. */
export const keyPrefix: Kind<string> = kind("PREFIX", (given) => `${given.replaceAll(/^\/+|\/+$/g, "")}/`);

const keyNames = ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
const bucketNames = ["S3_BUCKET", ...keyNames, "S3_ENDPOINT", "S3_REGION", "S3_PREFIX"] as const;
type BucketName = (typeof bucketNames)[number];
/** A setting with a fault of its own is missing. */
type BucketValues = {
  readonly [Name in Exclude<BucketName, "S3_SECRET_ACCESS_KEY">]?: string | null;
} & {
  readonly S3_SECRET_ACCESS_KEY?: Secret | null;
};

/**
 * A fault for each setting of a bucket that is missing beside others. `blobs` is what asks for the service
 * and its keys without S3_BUCKET; null: only backups do.
 */
export function bucketFaults(isGiven: (name: string) => boolean, blobs: string | null): readonly string[] {
  const ofBackups = blobs === null ? bucketNames : (["S3_BUCKET", "S3_PREFIX"] as const);
  const cause = ofBackups.find((name) => isGiven(name)) ?? null;
  const need = (names: readonly BucketName[], because: string) =>
    names.filter((name) => !isGiven(name)).map((name) => `${name} must be given, because ${because}`);
  return [
    ...(cause === null ? [] : need(["S3_BUCKET"], `${cause} is`)),
    ...(cause === null && blobs === null ? [] : need(keyNames, blobs ?? `${cause ?? ""} is`)),
  ];
}

/** The S3 service that the settings name; null without its keys. */
export function bucketAccessOf(values: BucketValues): BucketAccess | null {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  const { S3_ENDPOINT: endpoint = null, S3_REGION: region = null } = values;
  if (accessKeyId === null || accessKeyId === undefined) return null;
  if (secretAccessKey === null || secretAccessKey === undefined) return null;
  return { endpoint, region, accessKeyId, secretAccessKey };
}

/** The bucket that backups go to; null if the settings name no bucket. */
export function bucketOf(values: BucketValues, access: BucketAccess | null): BucketSetting | null {
  const { S3_BUCKET: bucket = null, S3_PREFIX: prefix = null } = values;
  return bucket === null || access === null ? null : { ...access, bucket, prefix: prefix ?? "" };
}
