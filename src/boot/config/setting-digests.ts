/** Nodes compare their shared settings by digests, so readers of the database do not see values. */
import { keyedHash } from "../secrets.ts";
import { protocolsOf } from "./protocol-settings.ts";
import { settings, type SettingName, type SettingValues } from "./settings.ts";
import { isForUnnamedProvider } from "./social-settings.ts";

/** For each setting, a keyed hash of its value in force. */
export type SettingDigests = Readonly<Record<string, string>>;

/**
 * 72 bits: a value is not guessed without JWT_SECRET, which the key is made of, and two values are not alike
 * by chance.
 */
const digestLength = 12;

/**
 * Digests of the settings that the nodes of a community share. Empty without JWT_SECRET. Reads the files that
 * they name.
 */
export async function digestSettings(values: SettingValues): Promise<SettingDigests> {
  if (values.JWT_SECRET === null) return {};
  const hash = keyedHash(values.JWT_SECRET, "cloakroom settings of nodes");
  const digests: Record<string, string> = {};
  for (const name of Object.keys(settings) as SettingName[]) {
    const text = await comparedText(name, values);
    // The name is hashed, too: two settings with equal values have different digests.
    if (text !== null) digests[name] = hash(`${name}=${text}`).slice(0, digestLength);
  }
  return digests;
}

/** Null if the setting is not compared. A value that repeats what other settings give counts as not given. */
async function comparedText(name: SettingName, values: SettingValues): Promise<string | null> {
  const compared = settings[name].compared as ((value: unknown) => unknown) | null; // it takes the setting's own values
  if (compared === null) return null;
  if (isForUnnamedProvider(name, values)) return "null";
  const rule = inForce[name];
  const own = rule === undefined ? values[name] : rule(values);
  if (own === undefined) return null;
  const value = await compared(own);
  if (value === undefined) return null;
  const text = plainText(value);
  const fallback = fallbacks[name];
  return fallback !== undefined && plainText(compared(fallback(values))) === text ? "null" : text;
}

/** What other settings leave of a value. Undefined: it has no effect. */
const inForce: {
  readonly [Name in SettingName]?: (values: SettingValues) => SettingValues[Name] | undefined;
} = {
  SKIN_DOMAINS: ({ SKIN_DOMAINS: domains, PUBLIC_URL: publicUrl }) => {
    const own = publicUrl === null ? null : new URL(publicUrl).hostname;
    const further = domains?.filter((domain) => domain !== own) ?? [];
    return further.length === 0 ? null : further;
  },
  BACKUP_KEEP: ({ BACKUP_KEEP: keep, BACKUP_SCHEDULE: schedule }) => (schedule === null ? undefined : keep),
};

/** What settings fall back to when they are not given. */
const fallbacks: { readonly [Name in SettingName]?: (values: SettingValues) => SettingValues[Name] } = {
  SITE_URL: ({ PUBLIC_URL: publicUrl }) => publicUrl,
  COMMUNITY_NAME: hostOf,
  SERVER_NAME: (values) => values.COMMUNITY_NAME ?? hostOf(values),
  MAIL_FROM: (values) => {
    const host = hostOf(values);
    return host === null ? null : { name: "", address: `noreply@${host}` };
  },
  PROTOCOLS: ({ AURORA_SECRET: secret }) => [...protocolsOf(null, () => secret !== null)],
  S3_REGION: () => "us-east-1",
  SOCIAL_OIDC_BASE_URL: ({ SOCIAL_OIDC_ISSUER: issuer }) => issuer?.replace(/\/$/, "") ?? null,
};

function hostOf({ SITE_URL: siteUrl, PUBLIC_URL: publicUrl }: SettingValues): string | null {
  const url = siteUrl ?? publicUrl;
  return url === null ? null : new URL(url).hostname;
}

/** One text for equal values; secrets are in it. */
function plainText(value: unknown): string {
  if (value instanceof RegExp) return plainText(value.source);
  if (Array.isArray(value)) return `[${value.map(plainText).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if ("reveal" in value && typeof value.reveal === "function") return plainText(value.reveal());
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${plainText(one)}`).join()}}`;
}
