import type { Preset } from "./preset-provider.ts";
import { usualAddresses } from "./provider-access.ts";
import { textOf } from "./provider-http.ts";

/** https://discord.com/developers/docs/topics/oauth2 and …/resources/user */
export function discord(baseUrl: string | null): Preset {
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
        avatar: avatarOf(user["id"], user["avatar"]),
        verifiedMail: user["verified"] === true ? user["email"] : null,
      };
    },
  };
}

/** The profile holds the picture's hash alone; null for who has none. */
function avatarOf(id: unknown, hash: unknown): string | null {
  const picture = textOf(hash);
  if (picture === null) return null;
  return `https://cdn.discordapp.com/avatars/${encodeURIComponent(String(id))}/${encodeURIComponent(picture)}.png`;
}
