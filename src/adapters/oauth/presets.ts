import type { ClientAccess, Endpoints } from "./oauth-client.ts";
import type { RawProfile } from "./profile.ts";
import { usualAddresses, type ProviderName } from "./provider-access.ts";
import { recordOf, textOf, type JsonAnswer, type JsonRecord } from "./provider-http.ts";

/** Requests to the provider with the access token of the person who signed in. */
export type AskAsPerson = {
  /** The JSON object at the address; anything else counts as the provider's failure. */
  readonly record: (url: string) => Promise<JsonRecord>;
  /** Whatever the address answers. */
  readonly answer: (url: string) => Promise<JsonAnswer>;
};

/** One provider's endpoints, and how its profiles are read. */
export type Preset = Endpoints & {
  readonly readProfile: (ask: AskAsPerson) => Promise<RawProfile>;
  /** Headers beside the access token. */
  readonly headers?: (client: ClientAccess) => Readonly<Record<string, string>>;
};

/** Makes the preset for a provider at its usual place (null) or at another base address. */
export const presets: Readonly<Record<Exclude<ProviderName, "oidc">, (baseUrl: string | null) => Preset>> = {
  discord,
  github,
  google,
  twitch,
};

/** https://discord.com/developers/docs/topics/oauth2 and …/resources/user */
function discord(baseUrl: string | null): Preset {
  const base = baseUrl ?? usualAddresses.discord;
  return {
    authorization: `${base}/oauth2/authorize`,
    token: `${base}/api/oauth2/token`,
    scopes: ["identify", "email"],
    authentication: "basic",
    readProfile: async (ask) => {
      const user = await ask.record(`${base}/api/v10/users/@me`);
      return {
        id: user["id"],
        username: user["username"],
        avatar: discordAvatar(user["id"], user["avatar"]),
        verifiedMail: user["verified"] === true ? user["email"] : null,
      };
    },
  };
}

/** The profile holds only the picture's hash; null without a picture. */
function discordAvatar(id: unknown, hash: unknown): string | null {
  const picture = textOf(hash);
  if (picture === null) return null;
  return `https://cdn.discordapp.com/avatars/${encodeURIComponent(String(id))}/${encodeURIComponent(picture)}.png`;
}

/**
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps and …/rest/users. An
 * Enterprise Server has its API below its own address.
 */
function github(baseUrl: string | null): Preset {
  const site = baseUrl ?? usualAddresses.github;
  const api = baseUrl === null ? "https://api.github.com" : `${baseUrl}/api/v3`;
  return {
    authorization: `${site}/login/oauth/authorize`,
    token: `${site}/login/oauth/access_token`,
    scopes: ["read:user", "user:email"],
    authentication: "form",
    readProfile: async (ask) => {
      const user = await ask.record(`${api}/user`);
      const verifiedMail = await githubMail(ask, api);
      return { id: user["id"], username: user["login"], avatar: user["avatar_url"], verifiedMail };
    },
  };
}

/**
 * The profile has only a public address; the list says which ones are verified. People may refuse access to
 * it.
 */
async function githubMail(ask: AskAsPerson, api: string): Promise<unknown> {
  const { status, body } = await ask.answer(`${api}/user/emails`);
  const mails: readonly unknown[] = status === 200 && Array.isArray(body) ? body : [];
  const primary = mails.map(recordOf).find((mail) => mail?.["primary"] === true);
  return primary?.["verified"] === true ? primary["email"] : null;
}

/** https://developers.google.com/identity/openid-connect/openid-connect */
function google(baseUrl: string | null): Preset {
  const userinfo = baseUrl ?? "https://openidconnect.googleapis.com";
  return {
    authorization: `${baseUrl ?? usualAddresses.google}/o/oauth2/v2/auth`,
    token: `${baseUrl ?? "https://oauth2.googleapis.com"}/token`,
    scopes: ["openid", "profile", "email"],
    authentication: "form",
    readProfile: async (ask) => {
      const user = await ask.record(`${userinfo}/v1/userinfo`);
      return {
        id: user["sub"],
        username: user["name"],
        avatar: user["picture"],
        verifiedMail: user["email_verified"] === true ? user["email"] : null,
      };
    },
  };
}

/** https://dev.twitch.tv/docs/authentication/getting-tokens-oauth and …/docs/api/reference#get-users */
function twitch(baseUrl: string | null): Preset {
  const site = baseUrl ?? usualAddresses.twitch;
  const api = baseUrl ?? "https://api.twitch.tv";
  return {
    authorization: `${site}/oauth2/authorize`,
    token: `${site}/oauth2/token`,
    scopes: ["user:read:email"],
    authentication: "form",
    headers: ({ clientId }) => ({ "client-id": clientId }),
    readProfile: async (ask) => {
      const { data } = await ask.record(`${api}/helix/users`);
      const user = recordOf(Array.isArray(data) ? data[0] : null) ?? {};
      return {
        id: user["id"],
        username: user["login"],
        avatar: user["profile_image_url"],
        // Twitch gives an address only once it is verified.
        verifiedMail: user["email"],
      };
    },
  };
}
