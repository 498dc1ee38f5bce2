/** What proves who somebody is, as far as requests and answers hold it. */

/**
 * The passwords in a body of JSON, wrong ones included. Short ones and "password" itself stand in other texts
 * by chance.
 */
export function passwordsIn(body: unknown): readonly string[] {
  const fields = typeof body === "string" ? body.matchAll(/"(?:new)?password":"([^"\\]{8,})"/g) : [];
  return Array.from(fields, ([, password = ""]) => password).filter((text) => text !== "password");
}

/** What proves who somebody is: in headers, bodies, queries, and in paths that links in mails lead to. */
export function secretsOfRequest({ url, headers }: Request, body: unknown): readonly string[] {
  const { pathname, searchParams } = new URL(url);
  const [token = ""] = (headers.get("authorization") ?? "").split(" ").slice(-1);
  const [, inPath = ""] = /^\/mail\/.+\/([^/]+)$/.exec(pathname) ?? [];
  const inCookies = (headers.get("cookie") ?? "").split("; ").map((pair) => pair.replace(/^[^=]*=/, ""));
  const inQuery = ["code", "state", "token", "serverId"].map((name) => searchParams.get(name) ?? "");
  return [
    ...passwordsIn(body),
    ...longEnough([token, inPath, ...inCookies, ...inQuery]),
    ...secretFields(body),
  ];
}

export async function secretsOfAnswer(response: Response): Promise<readonly string[]> {
  const cookies = response.headers.getSetCookie().map((line) => line.replace(/^[^=]*=|;.*$/g, ""));
  if (!response.headers.get("content-type")?.startsWith("application/json")) return longEnough(cookies);
  return [...longEnough(cookies), ...secretFields(await response.clone().text())];
}

function secretFields(json: unknown): readonly string[] {
  const fields =
    /"(?:jwt|secret|token|accessToken|serverId|code|conn_id|passphrase|message)":\s*"?([^",}\\]+)/g;
  return longEnough(
    typeof json === "string" ? Array.from(json.matchAll(fields), ([, value = ""]) => value) : [],
  );
}

/** What is shorter stands in other texts by chance. */
function longEnough(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text.length >= 10);
}

/** Fails when the log holds one of these secrets. */
export function refuseLeaks(log: string, secrets: readonly string[]): void {
  const leaked = secrets.filter((secret) => log.includes(secret));
  if (leaked.length > 0) throw new Error(`the log holds ${leaked.join(", ")}`);
}
