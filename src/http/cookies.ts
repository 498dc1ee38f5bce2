/** A cookie of this host alone, for its whole site, out of reach of scripts. */
export type Cookie = {
  /** Its value; null where there is none, and where several came: any of them may be another site's doing. */
  readonly read: (request: Request) => string | null;
  readonly isSent: (request: Request) => boolean;
  /** The header that sets it. Without seconds it ends with the browser. */
  readonly set: (value: string, seconds: number | null) => string;
  /** The header that removes it. */
  readonly clear: () => string;
};

/** The cookies that browsers get. The first two are sent with no request that another site causes. */
export type Cookies = {
  /** The token of a session. */
  readonly session: Cookie;
  /**
   * Behind https the session's cookie from before, when this host was reached by plain http; null by http. A
   * neighbouring site can put one there, so it stands for no member and ends no session: it only explains why
   * a person has to sign in.
   */
  readonly sessionByHttp: () => Cookie | null;
  /** The person who came from a social provider and waits to be linked. */
  readonly person: Cookie;
  /**
   * The secret that ties a social login to the browser that began it. It comes back when the provider's site
   * sends the browser.
   */
  readonly login: Cookie;
};

/** `publicUrl` says whether browsers come by https; it may be unknown before the port is taken. */
export function createCookies(publicUrl: () => string): Cookies {
  const plain = "cloakroom_session";
  const byHttp = cookie({ secure: plain, plain }, () => "http:");
  return {
    session: cookie({ secure: "__Host-cloakroom", plain }, publicUrl),
    sessionByHttp: () => (publicUrl().startsWith("https:") ? byHttp : null),
    person: cookie({ secure: "__Host-cloakroom_person", plain: "cloakroom_person" }, publicUrl),
    login: cookie({ secure: "__Host-cloakroom_login", plain: "cloakroom_login" }, publicUrl, "Lax"),
  };
}

/**
 * Behind https the name begins with `__Host-`: browsers take such a cookie from this host by https alone, so
 * that a site of a neighbouring name cannot put one in its place (RFC 6265bis, 4.1.3.2). By plain http they
 * would refuse it.
 */
function cookie(
  names: { readonly secure: string; readonly plain: string },
  publicUrl: () => string,
  sameSite: "Strict" | "Lax" = "Strict",
): Cookie {
  const isSecure = () => publicUrl().startsWith("https:");
  const nameNow = () => (isSecure() ? names.secure : names.plain);
  const set: Cookie["set"] = (value, seconds) => {
    const age = seconds === null ? "" : `; Max-Age=${seconds}`;
    return `${nameNow()}=${value}; Path=/${age}; HttpOnly; SameSite=${sameSite}${isSecure() ? "; Secure" : ""}`;
  };
  return {
    read: (request) => {
      const [value = null, ...others] = valuesOf(request, nameNow());
      return others.length === 0 ? value : null;
    },
    isSent: (request) => valuesOf(request, nameNow()).length > 0,
    set,
    clear: () => set("", 0),
  };
}

/** More than browsers keep for one host. */
const cookiesMax = 256;

/** The values of all cookies of this name in a request (RFC 6265, 4.2.1). */
function valuesOf({ headers }: Request, name: string): readonly string[] {
  const pairs = (headers.get("cookie") ?? "").split(";", cookiesMax).map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}
