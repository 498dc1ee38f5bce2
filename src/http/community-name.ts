import type { Site } from "./site.ts";
import { signInProtocols } from "./protocol-names.ts";

/** The community's name on pages: that of the settings, else the host of the website. */
export function communityNameOf({ siteUrl, communityName }: Pick<Site, "siteUrl" | "communityName">): string {
  return communityName ?? new URL(siteUrl()).hostname;
}

/**
 * The page with the steps for launchers; null where there are no pages, and where no launcher can sign in.
 */
export function playPageOf({
  console,
  protocols,
  siteUrl,
}: Pick<Site, "protocols" | "siteUrl"> & { readonly console: object | null }): string | null {
  const hasSteps = console !== null && signInProtocols.some((name) => protocols.has(name));
  return hasSteps ? `${siteUrl()}/play` : null;
}
