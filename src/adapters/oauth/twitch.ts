import type { Preset } from "./preset-provider.ts";
import { usualAddresses } from "./provider-access.ts";
import { recordOf } from "./provider-http.ts";

/** https://dev.twitch.tv/docs/authentication/getting-tokens-oauth and …/docs/api/reference#get-users */
export function twitch(baseUrl: string | null): Preset {
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
        // Twitch shows an address only once it is verified.
        verifiedMail: user["email"],
      };
    },
  };
}
