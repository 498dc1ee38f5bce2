import { readJson, type Envelope } from "./answers.ts";
import { publicUrl, type Harness } from "./harness.ts";

/** What the data of the console's session holds. */
export type ConsoleSession = {
  readonly id: number;
  readonly username: string;
  readonly uuid: string;
  readonly perms: number;
  readonly finished: boolean;
  readonly mail: string;
  readonly expires_at: number;
};

/** What browsers send with the requests of our own pages. */
export const ownHeaders = { "x-cloakroom-console": "1", "sec-fetch-site": "same-origin", origin: publicUrl };

/**
 * The headers of a request to this path: those of our own pages, where the address takes no other requests.
 */
export function pageHeaders(path: string): Partial<typeof ownHeaders> {
  return path.startsWith("/console/") ? ownHeaders : {};
}

/** The cookie of the session behind https, and by plain http. */
export const secureName = "__Host-cloakroom";
export const plainName = "cloakroom_session";

/** How many sign-ins of this way had this result, as Prometheus reads it. */
export async function signInsCounted(
  harness: Pick<Harness, "metrics">,
  way: "password" | "social",
  result: string,
): Promise<number> {
  const line = new RegExp(
    `^cloakroom_sign_ins_total\\{way="${way}",result="${result}"\\} (?<count>\\d+)$`,
    "m",
  );
  return Number(line.exec(await harness.metrics())?.groups?.["count"] ?? NaN);
}

/** One browser's pages of the console: they send its cookies, and keep those that they get. */
export type ConsoleBrowser = {
  readonly send: (request: string, json?: unknown) => Promise<Response>;
  readonly signIn: (
    login: { readonly name: string; readonly password: string },
    stay?: boolean,
  ) => Promise<Response>;
  /** The member who is signed in; null: a visitor. */
  readonly visitor: () => Promise<ConsoleSession | null>;
  readonly cookies: Map<string, string>;
};

export function openConsoleBrowser(
  harness: Pick<Harness, "fetch">,
  headers: Readonly<Record<string, string>> = ownHeaders,
): ConsoleBrowser {
  const cookies = new Map<string, string>();
  const send: ConsoleBrowser["send"] = async (request, json) => {
    const [method = "", path = ""] = request.split(" ");
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await harness.fetch(path, {
      method,
      headers: {
        ...headers,
        ...(cookie === "" ? {} : { cookie }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0\b/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    send,
    cookies,
    signIn: ({ name, password }, stay) =>
      send("POST /console/session", { username: name, password, ...(stay === undefined ? {} : { stay }) }),
    visitor: async () =>
      (await readJson<Envelope<ConsoleSession | null>>(await send("GET /console/session"))).data,
  };
}
