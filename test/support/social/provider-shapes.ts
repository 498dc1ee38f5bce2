/**
 * How the providers behave that we know: where their endpoints are, what they want there, and what they
 * answer.
 */
export type ProviderShape = {
  readonly name: "discord" | "github" | "google" | "twitch";
  readonly authorize: string;
  readonly token: string;
  readonly authentication: "basic" | "form";
  readonly scope: string;
  /** What a token that is taken answers with, beside the token itself. */
  readonly tokenFields: Readonly<Record<string, unknown>>;
  /** What a code is refused with. */
  readonly refusal: { readonly status: number; readonly body: unknown };
  /** Headers that requests in the person's name must have, beside the token. */
  readonly headers: Readonly<Record<string, string>>;
  /** The answers about the person by path, as JSON texts: ids may be too large for a number. */
  readonly profile: Readonly<Record<string, string>>;
};

export const clientId = "client-4711";
/** With characters that a form encodes. */
export const clientSecret = "s3cret: with/strange+characters&more";

export const discordShape: ProviderShape = {
  name: "discord",
  authorize: "/oauth2/authorize",
  token: "/api/oauth2/token",
  authentication: "basic",
  scope: "identify email",
  tokenFields: { token_type: "Bearer", expires_in: 604_800, refresh_token: "r", scope: "identify email" },
  refusal: {
    status: 400,
    body: { error: "invalid_grant", error_description: 'Invalid "code" in request.' },
  },
  headers: {},
  profile: {
    "/api/v10/users/@me": JSON.stringify({
      id: "80351110224678912",
      username: "nelly",
      discriminator: "0",
      global_name: "Nelly the Great",
      avatar: "8342729096ea3675442027381ff50dfe",
      verified: true,
      email: "nelly@example.net",
      mfa_enabled: true,
    }),
  },
};

export const githubShape: ProviderShape = {
  name: "github",
  authorize: "/login/oauth/authorize",
  token: "/login/oauth/access_token",
  authentication: "form",
  scope: "read:user user:email",
  tokenFields: { token_type: "bearer", scope: "read:user,user:email" },
  refusal: {
    status: 200,
    body: { error: "bad_verification_code", error_description: "The code passed is incorrect or expired." },
  },
  headers: { "user-agent": "cloakroom" },
  profile: {
    "/api/v3/user":
      '{"login":"octo-cat","id":9007199254740993,"avatar_url":"https://avatars.example/u/1?v=4","email":null}',
    "/api/v3/user/emails": JSON.stringify([
      { email: "other@example.net", primary: false, verified: true },
      { email: "octocat@example.net", primary: true, verified: true },
    ]),
  },
};

export const googleShape: ProviderShape = {
  name: "google",
  authorize: "/o/oauth2/v2/auth",
  token: "/token",
  authentication: "form",
  scope: "openid profile email",
  tokenFields: { token_type: "Bearer", expires_in: 3599, scope: "openid", id_token: "not looked at" },
  refusal: { status: 400, body: { error: "invalid_grant", error_description: "Bad Request" } },
  headers: {},
  profile: {
    "/v1/userinfo": JSON.stringify({
      sub: "110248495921238986420",
      name: "Алиса Селезнёва",
      given_name: "Алиса",
      picture: "https://pictures.example/a",
      email: "alisa@example.net",
      email_verified: true,
    }),
  },
};

export const twitchShape: ProviderShape = {
  name: "twitch",
  authorize: "/oauth2/authorize",
  token: "/oauth2/token",
  authentication: "form",
  scope: "user:read:email",
  tokenFields: { token_type: "bearer", expires_in: 14_124, scope: ["user:read:email"] },
  refusal: { status: 400, body: { status: 400, message: "Invalid authorization code" } },
  headers: { "client-id": clientId },
  profile: {
    "/helix/users": JSON.stringify({
      data: [
        {
          id: "141981764",
          login: "twitchdev",
          display_name: "TwitchDev",
          profile_image_url: "https://pictures.example/t.png",
          email: "dev@example.net",
        },
      ],
    }),
  },
};
