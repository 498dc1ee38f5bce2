/** The settings of backups that need rules of their own. */
import { secretOf, type Secret } from "../secrets.ts";
import { hidden, kind, refuse, type Kind } from "./kinds.ts";

/** A bucket of an S3 service. */
export type BucketSetting = {
  /** Null: Amazon's, chosen by the region. */
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: Secret;
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

const bucketNames = [
  "S3_BUCKET",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "S3_ENDPOINT",
  "S3_REGION",
  "S3_PREFIX",
] as const;
type BucketName = (typeof bucketNames)[number];
type BucketValues = { readonly [Name in Exclude<BucketName, "S3_SECRET_ACCESS_KEY">]: string | null } & {
  readonly S3_SECRET_ACCESS_KEY: Secret | null;
};

/** The bucket that the settings name; null if they name no bucket. Adds a fault for each that is missing beside others. */
export function bucketOf(values: BucketValues, faults: string[]): BucketSetting | null {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  const given = bucketNames.find((name) => values[name] !== null);
  if (given === undefined) return null;
  if (bucket !== null && accessKeyId !== null && secretAccessKey !== null) {
    const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_PREFIX: prefix } = values;
    return { endpoint, region, bucket, accessKeyId, secretAccessKey, prefix: prefix ?? "" };
  }
  for (const name of bucketNames.slice(0, 3)) {
    if (values[name] === null) faults.push(`${name} must be given, because ${given} is`);
  }
  return null;
}
