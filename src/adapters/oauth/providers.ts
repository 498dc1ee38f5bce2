import type { SocialProvider, SocialProviders } from "../../domain/social/provider.ts";
import { discord } from "./discord.ts";
import { github } from "./github.ts";
import { google } from "./google.ts";
import { oidcProvider } from "./oidc.ts";
import { presetProvider, type MakePreset } from "./preset-provider.ts";
import type { ProviderAccess, ProviderName } from "./provider-access.ts";
import { twitch } from "./twitch.ts";

const presets: Readonly<Record<Exclude<ProviderName, "oidc">, MakePreset>> = {
  discord,
  github,
  google,
  twitch,
};

/** Makes the providers that are set up, in the given order. Nothing is sent before somebody signs in. */
export function openProviders(accesses: readonly ProviderAccess[], timeLimitMs: number): SocialProviders {
  return accesses.map((access) => openProvider(access, timeLimitMs));
}

function openProvider(access: ProviderAccess, timeLimitMs: number): SocialProvider {
  const { provider, baseUrl } = access;
  if (provider === "oidc") return oidcProvider(access, timeLimitMs);
  return presetProvider({ ...access, provider }, presets[provider](baseUrl), timeLimitMs);
}
