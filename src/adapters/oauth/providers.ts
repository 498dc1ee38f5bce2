import type { SocialProvider, SocialProviders } from "../../domain/social/provider.ts";
import { resolveHost, type Resolve } from "./host-places.ts";
import { authorizationUrl, redeemCode } from "./oauth-client.ts";
import { oidcProvider } from "./oidc.ts";
import { presets, type Preset } from "./presets.ts";
import { profileOf } from "./profile.ts";
import type { ProviderAccess } from "./provider-access.ts";
import { askJson, askRecord, type ProviderCall } from "./provider-http.ts";

/** Opens the configured providers, in the given order. Sends nothing until someone signs in. */
export function openProviders(
  accesses: readonly ProviderAccess[],
  { timeLimitMs, resolve = resolveHost }: { readonly timeLimitMs: number; readonly resolve?: Resolve },
): SocialProviders {
  return accesses.map((access) => {
    const { provider, baseUrl } = access;
    if (provider === "oidc") return oidcProvider(access, { timeLimitMs, resolve });
    return presetProvider(access, presets[provider](baseUrl), timeLimitMs);
  });
}

/** A provider that a preset describes. Each exchange may take `timeLimitMs` in all. */
function presetProvider(access: ProviderAccess, preset: Preset, timeLimitMs: number): SocialProvider {
  const { provider: name, label, issuer } = access;
  return {
    name,
    label,
    issuer,
    authorization: async (login, redirectUri) => authorizationUrl(preset, access, login, redirectUri),
    exchange: async (answer, redirectUri) => {
      const call: ProviderCall = { provider: name, signal: AbortSignal.timeout(timeLimitMs) };
      const tokens = await redeemCode(call, preset, access, { ...answer, redirectUri });
      const authorization = `Bearer ${tokens.accessToken()}`;
      const request = { headers: { authorization, ...preset.headers?.(access) } };
      const raw = await preset.readProfile({
        record: (url) => askRecord(call, url, request),
        answer: (url) => askJson(call, url, request),
      });
      return profileOf(access, raw);
    },
  };
}
