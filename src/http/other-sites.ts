import { httpRefusals } from "./refusals.ts";
import type { Surface } from "./surface.ts";
import { pathOf } from "./target.ts";

/** What pages of other sites have their visitors' browsers send (SECURITY.md#browsers). */
export type OtherSites = {
  /**
   * Whether a browser says that a page of another site sends the request, and CORS does not open the address
   * to that page. Another subdomain or port is another site as well. Programs that are no browser send
   * neither header.
   */
  readonly sent: (request: Request) => boolean;
};

/**
 * `Sec-Fetch-Site` decides where it is sent (Fetch Metadata). Browsers leave it out on plain http under a
 * name: there the host in `Origin` decides, which for our own pages is that of the request's address or of
 * PUBLIC_URL.
 */
export function createOtherSites(options: {
  /** The origin of the setting PUBLIC_URL; null where it is not set. */
  readonly ownOrigin: string | null;
  /** Whether CORS opens the address of a request to the origin that it names. */
  readonly isGranted: (request: Request) => boolean;
  readonly surfaceOf: (path: string) => Pick<Surface, "isPostable">;
}): OtherSites {
  const { isGranted, surfaceOf } = options;
  const isPostable = ({ url }: Request) => surfaceOf(pathOf(url)).isPostable === true;
  const ownHost = hostOf(options.ownOrigin ?? "");
  const isElsewhere = ({ url, headers }: Request): boolean => {
    const site = headers.get("sec-fetch-site");
    if (site !== null) return site !== "same-origin" && site !== "none";
    const origin = headers.get("origin");
    if (origin === null) return false;
    // Asked by the origin's own protocol, so that its usual port may be left out.
    const [protocol] = origin.split("//", 1);
    const host = hostOf(origin);
    const named = headers.get("host");
    const addressed = hostOf(named === null ? url : `${protocol}//${named}`);
    return host === null || (host !== ownHost && host !== addressed);
  };
  return {
    sent: (request) => isElsewhere(request) && !isGranted(request) && !isPostable(request),
  };
}

/** The host and the port of an address; null where it names none. */
function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host || null : null;
}

export const { otherSite } = httpRefusals;
