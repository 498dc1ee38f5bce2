import type { AskAsPerson, Preset } from "./preset-provider.ts";
import { usualAddresses } from "./provider-access.ts";
import { recordOf } from "./provider-http.ts";

/**
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps and …/rest/users. An Enterprise Server
 * has its API below its own address.
 */
export function github(baseUrl: string | null): Preset {
  const site = baseUrl ?? usualAddresses.github;
  const api = baseUrl === null ? "https://api.github.com" : `${baseUrl}/api/v3`;
  return {
    authorization: `${site}/login/oauth/authorize`,
    token: `${site}/login/oauth/access_token`,
    scopes: ["read:user", "user:email"],
    authentication: "form",
    readProfile: async (ask) => {
      const user = await ask.record(`${api}/user`);
      const verifiedMail = await primaryMail(ask, api);
      return { id: user["id"], username: user["login"], avatar: user["avatar_url"], verifiedMail };
    },
  };
}

/** The profile shows what the person made public; the list tells which addresses are verified. People may refuse it. */
async function primaryMail(ask: AskAsPerson, api: string): Promise<unknown> {
  const { status, body } = await ask.answer(`${api}/user/emails`);
  const mails: readonly unknown[] = status === 200 && Array.isArray(body) ? body : [];
  const primary = mails.map(recordOf).find((mail) => mail?.["primary"] === true);
  return primary?.["verified"] === true ? primary["email"] : null;
}
