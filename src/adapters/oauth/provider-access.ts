import { isInNetwork, parseIpAddress, parseIpNetwork } from "../../kernel/ip-address.ts";

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

/** A host of this machine alone. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * This machine, and what answers without a router in between: unspecified, loopback and link-local addresses, where cloud machines
 * find their own secrets. A mapped IPv4 address counts as what it maps (`ip-address.ts`).
 */
const nearbyNetworks = ["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/96", "fe80::/10"].map(
  parseIpNetwork,
);

/** Whether a host, as `URL` spells it, is this machine or on its own link, in whatever spelling. */
export function isNearby(hostname: string): boolean {
  const host = hostname.replace(/\.$/, "");
  if (/(?:^|\.)localhost$/.test(host)) return true;
  const address = parseIpAddress(host.replace(/^\[(?<address>.*)\]$/, "$<address>"));
  return (
    address !== null && nearbyNetworks.some((network) => network !== null && isInNetwork(address, network))
  );
}
