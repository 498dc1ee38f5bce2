import type { SocialProvider } from "../../domain/social/provider.ts";
import { authorizationUrl, redeemCode, type ClientAccess, type Endpoints } from "./oauth-client.ts";
import { profileOf, type ToldProfile } from "./profile.ts";
import type { ProviderAccess, ProviderName } from "./provider-access.ts";
import { askJson, askRecord, type Conversation, type JsonAnswer, type JsonRecord } from "./provider-http.ts";

/** Asks the provider in the name of the person who signed in. */
export type AskAsPerson = {
  /** The JSON object at the address; anything else is the provider's failure. */
  readonly record: (url: string) => Promise<JsonRecord>;
  /** Whatever the address answers. */
  readonly answer: (url: string) => Promise<JsonAnswer>;
};

/** What there is to know about one provider. */
export type Preset = Endpoints & {
  /** Who the person is. */
  readonly readProfile: (ask: AskAsPerson) => Promise<ToldProfile>;
  /** Headers of requests in the person's name, beside the token. */
  readonly headers?: (client: ClientAccess) => Readonly<Record<string, string>>;
};

/** Makes a preset for a provider at its usual place (null) or at another base address. */
export type MakePreset = (baseUrl: string | null) => Preset;

/** A provider that a preset describes. Each exchange may take `timeLimitMs` in all. */
export function presetProvider(
  access: ProviderAccess & { readonly provider: Exclude<ProviderName, "oidc"> },
  preset: Preset,
  timeLimitMs: number,
): SocialProvider {
  const { provider: name, issuer } = access;
  return {
    name,
    issuer,
    authorization: async (login, redirectUri) => authorizationUrl(preset, access, login, redirectUri),
    exchange: async (answer, redirectUri) => {
      const conversation: Conversation = { provider: name, signal: AbortSignal.timeout(timeLimitMs) };
      const tokens = await redeemCode(conversation, preset, access, { ...answer, redirectUri });
      const authorization = `Bearer ${tokens.accessToken()}`;
      const request = { headers: { authorization, ...preset.headers?.(access) } };
      const ask: AskAsPerson = {
        record: (url) => askRecord(conversation, url, request),
        answer: (url) => askJson(conversation, url, request),
      };
      return profileOf(access, await preset.readProfile(ask));
    },
  };
}
