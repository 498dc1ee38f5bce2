import type { SocialProfile } from "../../domain/model/identity.ts";
import { providerFailed } from "../../domain/social/provider.ts";
import type { ProviderAccess } from "./provider-access.ts";
import { textOf } from "./provider-http.ts";

/** What a provider told of a person, as it came. */
export type ToldProfile = {
  readonly id: unknown;
  readonly username: unknown;
  readonly avatar: unknown;
  /** An address that the provider vouches for; anything else when it does not. */
  readonly verifiedMail: unknown;
};

/** Longer ones break lists and menus. */
const usernameLengthMax = 64;
const avatarLengthMax = 2048;

/** A profile that can be kept. Only the id must be there; without it it fails as `providerFailed` does. */
export function profileOf(
  { provider, issuer }: Pick<ProviderAccess, "provider" | "issuer">,
  told: ToldProfile,
): SocialProfile {
  const subject = idOf(told.id);
  if (subject === null) throw providerFailed(provider, "a profile without an id");
  return {
    provider,
    issuer,
    subject,
    username: shown(textOf(told.username) ?? subject),
    avatar: pictureOf(told.avatar),
    verifiedMail: textOf(told.verifiedMail),
  };
}

/** A text, or a whole number in its digits. */
function idOf(id: unknown): string | null {
  if (typeof id === "number") return Number.isSafeInteger(id) && id >= 0 ? String(id) : null;
  const text = textOf(id);
  return text === null || text.length > 255 || /[\p{Cc}\p{Cs}]/u.test(text) ? null : text;
}

function shown(username: string): string {
  const line = username.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, "");
  return Array.from(line).slice(0, usernameLengthMax).join("");
}

/** Browsers load it, so it is an address of the web and nothing that runs. */
function pictureOf(avatar: unknown): string {
  const text = textOf(avatar);
  if (text === null || text.length > avatarLengthMax || !URL.canParse(text)) return "";
  const { protocol, href } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? href : "";
}
