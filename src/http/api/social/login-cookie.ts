/** The cookie that ties a social login to the browser that began it. It means nothing to anybody but the callback. */
const name = "cloakroom_login";

/** As long as a login may take (see `login-states.ts`). */
const seconds = 600;

/** The browser's secret; null when it brings none of ours. */
export function readLoginCookie(request: Request): string | null {
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  return /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
}

/**
 * Sent along when the provider sends the browser back, which `SameSite=Lax` allows and `Strict` would not. `publicUrl` says
 * whether browsers come by https.
 */
export function loginCookie(secret: string, publicUrl: string): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${name}=${secret}; Path=/auth/social; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
