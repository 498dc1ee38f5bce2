import type { Harness } from "../harness.ts";
import { publicUrl } from "../harness.ts";

/** What a person does in a browser, as far as signing in somewhere takes it: redirects, cookies and forms. */
export type Browser = {
  /** Opens an address and follows redirects, like a click. */
  readonly open: (url: string) => Promise<Page>;
  /** Follows no redirect to an address that begins so, from now on; null takes that back. */
  readonly stopBefore: (address: string | null) => void;
  /** Opens an address without following it anywhere. */
  readonly peek: (url: string) => Promise<Response>;
  /** Fills in and sends the page's form, and follows redirects. */
  readonly submit: (page: Page, fields: Readonly<Record<string, string>>) => Promise<Page>;
  /** Cookies that would be sent to this address: `a=1; b=2`. */
  readonly cookiesFor: (url: string) => string;
};

export type Page = { readonly url: string; readonly response: Response; readonly text: string };

type Cookie = { readonly value: string; readonly path: string };

const redirectsMax = 10;

/**
 * A browser with an empty jar. The service's public address leads to the harness, others to where they say.
 */
export function openBrowser(harness: Pick<Harness, "fetch">): Browser {
  const jar = new Map<string, Map<string, Cookie>>();
  let stop: string | null = null;

  const cookiesFor = (url: string): string => {
    const { origin, pathname } = new URL(url);
    return [...(jar.get(origin) ?? [])]
      .filter(([, { path }]) => isWithin(pathname, path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join("; ");
  };
  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { origin, pathname, search } = new URL(url);
    const headers = new Headers(init.headers);
    headers.set("cookie", cookiesFor(url));
    const response =
      origin === publicUrl
        ? await harness.fetch(pathname + search, { ...init, headers })
        : await fetch(url, { ...init, headers, redirect: "manual" });
    keepCookies(jar, origin, response);
    return response;
  };
  const follow = async (url: string, init?: RequestInit): Promise<Page> => {
    let [at, response] = [url, await send(url, init)];
    for (let hops = 0; hops < redirectsMax; hops++) {
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) break;
      at = new URL(location, at).href;
      if (stop !== null && at.startsWith(stop)) break;
      response = await send(at);
    }
    return { url: at, response, text: await response.clone().text() };
  };

  return {
    open: (url) => follow(url),
    stopBefore: (address) => {
      stop = address;
    },
    peek: (url) => send(url),
    submit: (page, fields) => {
      const form = formOf(page);
      return follow(new URL(form.action, page.url).href, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ ...form.hidden, ...fields }).toString(),
      });
    },
    cookiesFor,
  };
}

function keepCookies(jar: Map<string, Map<string, Cookie>>, origin: string, response: Response): void {
  const cookies = jar.get(origin) ?? new Map<string, Cookie>();
  jar.set(origin, cookies);
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const [, path = "/"] = /;\s*path=([^;]+)/i.exec(line) ?? [];
    const [, expires = ""] = /;\s*expires=([^;]+)/i.exec(line) ?? [];
    if (expires !== "" && Date.parse(expires) <= Date.now()) cookies.delete(name);
    else cookies.set(name, { value, path });
  }
}

function isWithin(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}

function formOf({ text, url }: Page) {
  const [, action] = /<form[^>]*\baction="([^"]*)"/.exec(text) ?? [];
  if (action === undefined) throw new Error(`no form at ${url}: ${text.slice(0, 200)}`);
  const hidden: Record<string, string> = {};
  for (const [input] of text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const [, name = ""] = /name="([^"]*)"/.exec(input) ?? [];
    const [, value = ""] = /value="([^"]*)"/.exec(input) ?? [];
    hidden[name] = value;
  }
  return { action, hidden };
}
