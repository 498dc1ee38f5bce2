/** The providers that we know how to talk to. */
export const providerNames = ["discord", "github", "google", "twitch", "oidc"] as const;
export type ProviderName = (typeof providerNames)[number];

/** How this installation is known at a provider, and where the provider is. */
export type ProviderAccess = {
  readonly provider: ProviderName;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Without trailing slash; null: where everybody finds the provider. */
  readonly baseUrl: string | null;
  /** Who vouches for the people there: for `oidc` exactly as the issuer writes itself, else the base address in force. */
  readonly issuer: string;
};

/** The base addresses of the providers that everybody finds at one place. */
export const usualAddresses = {
  discord: "https://discord.com",
  github: "https://github.com",
  google: "https://accounts.google.com",
  twitch: "https://id.twitch.tv",
} as const satisfies Readonly<Record<Exclude<ProviderName, "oidc">, string>>;

/** Whether what is sent there stays between us and it: by TLS, or without leaving this machine. */
export function isPrivateAddress({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** A host of this machine alone, in the spellings that settings have. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
