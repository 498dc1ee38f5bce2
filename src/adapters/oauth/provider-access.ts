import { isLoopbackHost } from "../../kernel/ip-address.ts";

/** The supported providers. */
export const providerNames = ["discord", "github", "google", "twitch", "oidc"] as const;
export type ProviderName = (typeof providerNames)[number];

/** How this installation is known at a provider, and where the provider is. */
export type ProviderAccess = {
  readonly provider: ProviderName;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Without trailing slash; null: the provider's usual address. */
  readonly baseUrl: string | null;
  /** Its name for people. */
  readonly label: string;
  /**
   * Who vouches for the people there: for `oidc` the issuer exactly as it writes itself, else the base
   * address in use.
   */
  readonly issuer: string;
};

/** What people call the providers; an issuer's name is a setting. */
export const usualLabels = {
  discord: "Discord",
  github: "GitHub",
  google: "Google",
  twitch: "Twitch",
} as const satisfies Readonly<Record<Exclude<ProviderName, "oidc">, string>>;

/** The base addresses of the providers with a fixed one. */
export const usualAddresses = {
  discord: "https://discord.com",
  github: "https://github.com",
  google: "https://accounts.google.com",
  twitch: "https://id.twitch.tv",
} as const satisfies Readonly<Record<Exclude<ProviderName, "oidc">, string>>;

/** Whether others cannot read what is sent there: it goes by TLS, or does not leave this machine. */
export function isPrivateAddress({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}
