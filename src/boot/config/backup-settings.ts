/** The settings of backups: when, how many, and where to. */
import { AppError } from "../../kernel/errors.ts";
import type { Secret } from "../secrets.ts";
import { secretOf } from "../secrets.ts";
import { text, type Kind } from "./kinds.ts";

/** A bucket of an S3 service. */
export type BucketSetting = {
  /** Null: Amazon's, by the region. */
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: Secret;
  /** Before every name; empty or with a slash at its end. */
  readonly prefix: string;
};

/** Five fields or a nickname, in the machine's time zone. */
export const cronSchedule: Kind<string> = {
  ...text("CRON"),
  parse: (given) => {
    try {
      if (Bun.cron.parse(given) !== null) return given;
    } catch {
      // Bun's words name no setting.
    }
    throw new AppError(
      "invalid",
      'must be five fields of cron that come true some day ("30 4 * * *") or a word like @daily',
    );
  },
};

/** Any text that must not be shown. */
export const hiddenText: Kind<Secret> = {
  placeholder: "SECRET",
  secret: true,
  parse: (given) => secretOf(given),
};

const passphraseLengthMin = 12;

export const passphrase: Kind<Secret> = {
  ...hiddenText,
  parse: (given) => {
    if (given.length >= passphraseLengthMin) return secretOf(given);
    throw new AppError("invalid", `must have at least ${passphraseLengthMin} characters`);
  },
};

export const bucketName: Kind<string> = {
  ...text("NAME"),
  parse: (given) => {
    if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/i.test(given)) return given;
    throw new AppError("invalid", "must be the name of a bucket: 3 to 63 letters, digits, dots and dashes");
  },
};

/** What names are put behind: without a slash at its start, with one at its end. */
export const keyPrefix: Kind<string> = {
  ...text("PREFIX"),
  parse: (given) => `${given.replaceAll(/^\/+|\/+$/g, "")}/`,
};

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

/** The bucket that the settings name; null when none of them is given. Half of them is a fault, which is added. */
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
