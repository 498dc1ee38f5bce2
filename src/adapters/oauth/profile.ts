import type { SocialProfile } from "../../domain/model/identity.ts";
import { providerFailed } from "../../domain/social/provider.ts";
import type { ProviderAccess } from "./provider-access.ts";
import { textOf } from "./provider-http.ts";

/** A person's profile as the provider gave it, unchecked. */
export type RawProfile = {
  readonly id: unknown;
  readonly username: unknown;
  readonly avatar: unknown;
  /** An address that the provider has verified; anything but a text when there is none. */
  readonly verifiedMail: unknown;
};

/** Longer names break lists and menus. */
const usernameLengthMax = 64;
const avatarLengthMax = 2048;

/**
 * A profile that can be stored. Fails as `providerFailed` does without an id; everything else is optional.
 */
export function profileOf(
  { provider, issuer }: Pick<ProviderAccess, "provider" | "issuer">,
  raw: RawProfile,
): SocialProfile {
  const subject = idOf(raw.id);
  if (subject === null) throw providerFailed(provider, "a profile without an id");
  return {
    provider,
    issuer,
    subject,
    username: shown(textOf(raw.username) ?? subject),
    avatar: pictureOf(raw.avatar),
    verifiedMail: textOf(raw.verifiedMail),
  };
}

/** The id as text; whole numbers as their digits. */
function idOf(id: unknown): string | null {
  if (typeof id === "number") return Number.isSafeInteger(id) && id >= 0 ? String(id) : null;
  const text = textOf(id);
  return text === null || text.length > 255 || /[\p{Cc}\p{Cs}]/u.test(text) ? null : text;
}

function shown(username: string): string {
  const line = username.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, "");
  return Array.from(line).slice(0, usernameLengthMax).join("");
}

/** Only http(s): browsers load it, and other schemes may run code. */
function pictureOf(avatar: unknown): string {
  const text = textOf(avatar);
  if (text === null || text.length > avatarLengthMax || !URL.canParse(text)) return "";
  const { protocol, href } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? href : "";
}
