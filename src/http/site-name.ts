import type { Parts } from "./parts.ts";

/** The community's name for people: the setting, else the host of the website. */
export function siteName({ communityName, siteUrl }: Pick<Parts, "communityName" | "siteUrl">): string {
  return communityName ?? new URL(siteUrl()).hostname;
}
