import type { Preset } from "./preset-provider.ts";
import { usualAddresses } from "./provider-access.ts";

/** https://developers.google.com/identity/openid-connect/openid-connect */
export function google(baseUrl: string | null): Preset {
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
