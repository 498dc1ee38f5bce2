import type { AppDeps } from "./parts.ts";

/** The community's name on pages: that of the settings, else the host of the website. */
export function communityNameOf({
  siteUrl,
  communityName,
}: Pick<AppDeps, "siteUrl" | "communityName">): string {
  return communityName ?? new URL(siteUrl()).hostname;
}
