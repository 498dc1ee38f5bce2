/** The settings of social login: the providers, and the clients that are registered there. */
import {
  isPrivateAddress,
  providerNames,
  usualAddresses,
  usualLabels,
  type ProviderAccess,
  type ProviderName,
} from "../../adapters/oauth/provider-access.ts";
import { textureNamePattern } from "../../domain/model/texture.ts";
import type { Secret } from "../secrets.ts";
import { boolean, hiddenText, kind, refuse, text, type Kind } from "./kinds.ts";
import { shared, type Setting } from "./setting.ts";

const providers: Kind<readonly ProviderName[]> = kind("NAME,…", (given) => {
  const names = given.split(",").map((name) => name.trim());
  if (new Set(names).size < names.length) refuse("must name each provider once");
  return names.map((name) => {
    const known = providerNames.find((one) => one === name);
    return known ?? refuse(`must be some of ${providerNames.join(", ")}, separated by commas`);
  });
});
/** Secrets are sent there: over TLS, or without leaving this machine. Paths are appended to it. */
export const privateUrl: Kind<string> = kind("URL", (given) => parseAddress(given).replace(/\/+$/, ""));
/** Compared as it is: an issuer uses exactly this name (OpenID Connect Discovery 4.3). */
const issuer: Kind<string> = kind("URL", parseAddress);

/** More does not fit on a button. */
const labelLengthMax = 40;
const label: Kind<string> = kind("NAME", (given) => {
  const name = given.normalize("NFC").trim();
  const isShown = /[\p{L}\p{N}]/u.test(name) && textureNamePattern.test(name);
  return isShown && Array.from(name).length <= labelLengthMax
    ? name
    : refuse(
        `must be one line of at most ${labelLengthMax} characters, with a letter or digit, without invisible ones`,
      );
});

const idAt = (site: string) => shared.optional(text("ID"), `client id that ${site} gave you`);
const secretAt = (site: string) =>
  shared.optional(
    hiddenText,
    `client secret that ${site} gave you; a flag shows it to other users of the machine`,
  );
const addressOf = (site: string, usual: string) => shared.optional(privateUrl, `where ${site} is`, usual);

/** Rows of the table in `settings.ts`. */
export const socialSettings = {
  SOCIAL_PROVIDERS: shared.optional(
    providers,
    `where people may sign in, the first is the default: ${providerNames.join(", ")}, separated by commas`,
    "none",
  ),
  SOCIAL_BARE_CODES: shared.withDefault(
    boolean,
    "true",
    "false: a callback without a state is refused; true suits websites that begin the sign-in themselves",
  ),
  SOCIAL_DISCORD_CLIENT_ID: idAt("Discord"),
  SOCIAL_DISCORD_CLIENT_SECRET: secretAt("Discord"),
  SOCIAL_DISCORD_BASE_URL: addressOf("Discord", usualAddresses.discord),
  SOCIAL_GITHUB_CLIENT_ID: idAt("GitHub"),
  SOCIAL_GITHUB_CLIENT_SECRET: secretAt("GitHub"),
  SOCIAL_GITHUB_BASE_URL: addressOf("GitHub Enterprise", usualAddresses.github),
  SOCIAL_GOOGLE_CLIENT_ID: idAt("Google"),
  SOCIAL_GOOGLE_CLIENT_SECRET: secretAt("Google"),
  SOCIAL_GOOGLE_BASE_URL: addressOf("Google", "Google's hosts"),
  SOCIAL_TWITCH_CLIENT_ID: idAt("Twitch"),
  SOCIAL_TWITCH_CLIENT_SECRET: secretAt("Twitch"),
  SOCIAL_TWITCH_BASE_URL: addressOf("Twitch", "Twitch's hosts"),
  SOCIAL_OIDC_CLIENT_ID: idAt("the OpenID Connect provider"),
  SOCIAL_OIDC_CLIENT_SECRET: secretAt("the OpenID Connect provider"),
  SOCIAL_OIDC_ISSUER: shared.optional(
    issuer,
    "issuer of the OpenID Connect provider, exactly as it calls itself",
  ),
  SOCIAL_OIDC_NAME: shared.optional(
    label,
    "what the issuer is called on buttons: Sign in with …",
    "the host of SOCIAL_OIDC_ISSUER",
  ),
  SOCIAL_OIDC_BASE_URL: addressOf("the issuer's configuration", "SOCIAL_OIDC_ISSUER"),
} as const;

type SocialValues = {
  readonly [Name in keyof typeof socialSettings]?: (typeof socialSettings)[Name] extends Setting<infer Value>
    ? Value
    : never;
};

/** A provider that is set up. */
export type ProviderSetting = Omit<ProviderAccess, "clientSecret"> & { readonly clientSecret: Secret };

/**
 * The providers that SOCIAL_PROVIDERS names, in its order, and a fault for each setting that they lack. A
 * setting that is given but missing in `values` has a fault of its own.
 */
export function readProviders(
  values: SocialValues,
  isGiven: (name: string) => boolean,
): { readonly providers: readonly ProviderSetting[]; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const need = (provider: ProviderName, name: string) => {
    if (isGiven(name)) return;
    faults.push(
      `${name} must be set, because SOCIAL_PROVIDERS names ${provider}: set it, or take ${provider} out`,
    );
  };
  const providers = (values.SOCIAL_PROVIDERS ?? []).flatMap((provider): readonly ProviderSetting[] => {
    const prefix = `SOCIAL_${provider.toUpperCase() as Uppercase<ProviderName>}` as const; // what toUpperCase gives
    const clientId = values[`${prefix}_CLIENT_ID`] ?? null;
    const clientSecret = values[`${prefix}_CLIENT_SECRET`] ?? null;
    const baseUrl = values[`${prefix}_BASE_URL`] ?? null;
    const issuer =
      provider === "oidc"
        ? (values.SOCIAL_OIDC_ISSUER ?? "")
        : canonical(baseUrl ?? usualAddresses[provider]);
    need(provider, `${prefix}_CLIENT_ID`);
    need(provider, `${prefix}_CLIENT_SECRET`);
    if (provider === "oidc") need(provider, "SOCIAL_OIDC_ISSUER");
    if (clientId === null || clientSecret === null) return [];
    const label = provider === "oidc" ? (values.SOCIAL_OIDC_NAME ?? hostOf(issuer)) : usualLabels[provider];
    return [Object.freeze({ provider, label, clientId, clientSecret, baseUrl, issuer })];
  });
  return { providers, faults };
}

/** One spelling of an address: a host in capitals must not make other identities of the same users. */
function canonical(address: string): string {
  return new URL(address).href.replace(/\/+$/, "");
}

/** An issuer that is missing is a fault of its own. */
function hostOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}

/** True for a setting of a provider that SOCIAL_PROVIDERS does not name. */
export function isForUnnamedProvider(name: string, { SOCIAL_PROVIDERS }: SocialValues): boolean {
  const provider = providerNames.find((one) => name.startsWith(`SOCIAL_${one.toUpperCase()}_`));
  return provider !== undefined && !(SOCIAL_PROVIDERS ?? []).includes(provider);
}

function parseAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const isPlain = url?.username === "" && url.password === "" && !/[?#\s]/.test(given);
  if (url === null || !isPlain || !isPrivateAddress(url)) {
    return refuse(
      "must be an https:// address without user name, query or fragment (http:// on this machine alone)",
    );
  }
  return given;
}
