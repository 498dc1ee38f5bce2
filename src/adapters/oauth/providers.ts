import type { SocialProvider, SocialProviders } from "../../domain/social/provider.ts";
import { discord } from "./discord.ts";
import { github } from "./github.ts";
import { google } from "./google.ts";
import { resolveHost, type Resolve } from "./host-places.ts";
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
export function openProviders(
  accesses: readonly ProviderAccess[],
  { timeLimitMs, resolve = resolveHost }: { readonly timeLimitMs: number; readonly resolve?: Resolve },
): SocialProviders {
  return accesses.map((access) => openProvider(access, { timeLimitMs, resolve }));
}

function openProvider(
  access: ProviderAccess,
  { timeLimitMs, resolve }: { readonly timeLimitMs: number; readonly resolve: Resolve },
): SocialProvider {
  const { provider, baseUrl } = access;
  if (provider === "oidc") return oidcProvider(access, { timeLimitMs, resolve });
  return presetProvider({ ...access, provider }, presets[provider](baseUrl), timeLimitMs);
}
