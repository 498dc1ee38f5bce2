/**
 * Which requests the console's cookie counts for: where the server is, what the request sends, and whether it
 * is let in.
 */

/** Where a server is reached. */
export const places = {
  "https by PUBLIC_URL": { publicUrl: "https://skins.example.org", cookieName: "__Host-cloakroom" },
  "https on a port by PUBLIC_URL": {
    publicUrl: "https://skins.example.org:8443",
    cookieName: "__Host-cloakroom",
  },
  "http by PUBLIC_URL": { publicUrl: "http://skins.lan", cookieName: "cloakroom_session" },
  "no PUBLIC_URL": { publicUrl: null, cookieName: "cloakroom_session" },
} as const;
export type Place = keyof typeof places;

/** What browsers there write into `Host`; PORT is the one that the server listens on. */
export const hosts: Readonly<Record<Place, string>> = {
  "https by PUBLIC_URL": "skins.example.org",
  "https on a port by PUBLIC_URL": "skins.example.org:8443",
  "http by PUBLIC_URL": "skins.lan",
  "no PUBLIC_URL": "127.0.0.1:PORT",
};

export type HeaderSet = {
  readonly place: Place;
  readonly name: string;
  readonly sends: Readonly<Record<string, string>>;
  /** All cookies, where they differ from the one with the session's token, which JWT stands for. */
  readonly cookies?: readonly string[];
  /** Whether the cookie stands for its member. */
  readonly counts: boolean;
  /** Whether the pages of the session, of the set-up and of social sign-in answer it, where that differs. */
  readonly opens?: boolean;
};

const own = { "x-cloakroom-console": "1" };
const same = { ...own, "sec-fetch-site": "same-origin" };
const home = "https://skins.example.org";

const set = (
  place: Place,
  name: string,
  sends: HeaderSet["sends"],
  answer: boolean | Pick<HeaderSet, "counts" | "cookies" | "opens">,
): HeaderSet => ({ place, name, sends, ...(typeof answer === "boolean" ? { counts: answer } : answer) });

const https = "https by PUBLIC_URL";
const onPort = "https on a port by PUBLIC_URL";
const http = "http by PUBLIC_URL";
const unset = "no PUBLIC_URL";

const letIn = [
  set(https, "a page's read, which has no origin", same, true),
  set(https, "a page's change", { ...same, origin: home }, true),
  set(https, "an old browser without Sec-Fetch-Site", { ...own, origin: home }, true),
  set(https, "an old browser's read", own, true),
  set(https, "a proxy that sends a host of its own", { ...same, origin: home, host: "127.0.0.1:3000" }, true),
  set(
    https,
    "among cookies of others",
    { ...same, origin: home },
    {
      counts: true,
      cookies: ["a=1", "cloakroom_login=x", "__Host-cloakroom=JWT", "__Host-cloakroom_person=1.YQ"],
    },
  ),
  set(onPort, "a page's change", { ...same, origin: `${home}:8443` }, true),
  set(
    http,
    "a page's change, where browsers send no Sec-Fetch-Site",
    { ...own, origin: "http://skins.lan" },
    true,
  ),
  set(unset, "a page's read", own, true),
  set(unset, "a page at the address", { ...same, origin: "http://127.0.0.1:PORT" }, true),
  set(
    unset,
    "a page at localhost",
    { ...same, host: "localhost:PORT", origin: "http://localhost:PORT" },
    true,
  ),
  set(unset, "a page at a name", { ...own, host: "skins.lan", origin: "http://skins.lan" }, true),
  set(
    unset,
    "a page at a name with its own port",
    { ...own, host: "skins.lan:80", origin: "http://skins.lan" },
    true,
  ),
  set(
    unset,
    "a page at a name in capitals",
    { ...own, host: "SKINS.lan:81", origin: "http://skins.lan:81" },
    true,
  ),
  set(
    unset,
    "a page at a name with a dot",
    { ...own, host: "skins.lan.", origin: "http://skins.lan." },
    true,
  ),
  set(unset, "a page at IPv6", { ...own, host: "[::1]:82", origin: "http://[::1]:82" }, true),
];

const withoutHeader = [
  set(https, "no header of the console", { "sec-fetch-site": "same-origin", origin: home }, false),
  set(https, "nothing but the cookie", {}, false),
  set(https, "another value of the header", { ...same, "x-cloakroom-console": "0", origin: home }, false),
  set(https, "the header twice", { ...same, "x-cloakroom-console": "1, 1", origin: home }, false),
  set(unset, "nothing but the cookie", {}, false),
];

const otherSites = ["same-site", "cross-site", "none", "same-origin, same-origin", "SAME-ORIGIN", ""].map(
  (site) => set(https, `Sec-Fetch-Site "${site}"`, { ...own, "sec-fetch-site": site, origin: home }, false),
);

const foreignOrigins = [
  "https://evil.example",
  "https://www.skins.example.org",
  "https://example.org",
  "https://skins.example.org.evil.example",
  "https://skins.example.org.",
  "https://skins.example.org:8443",
  "https://skins.example.org:443",
  "http://skins.example.org",
  "HTTPS://skins.example.org",
  "https://skins.example.org/",
  "skins.example.org",
  "null",
  "",
  "https://skins.example.org, https://skins.example.org",
].map((origin) => set(https, `origin "${origin}"`, { ...same, origin }, false));

const others = [
  set(onPort, "an origin without the port", { ...same, origin: home }, false),
  set(http, "an origin by https", { ...own, origin: "https://skins.lan" }, false),
  set(http, "an origin on another port", { ...own, origin: "http://skins.lan:8080" }, false),
  set(unset, "an origin on another port", { ...own, origin: "http://127.0.0.1:1" }, false),
  set(unset, "an origin of another name", { ...own, origin: "http://localhost:PORT" }, false),
  set(unset, "an origin by https", { ...own, origin: "https://127.0.0.1:PORT" }, false),
  set(unset, "a null origin", { ...own, origin: "null" }, false),
  set(
    unset,
    "an origin with a dot that the host has not",
    { ...own, host: "skins.lan", origin: "http://skins.lan." },
    false,
  ),
];

/** A proxy that speaks TLS, whose word for the scheme is not taken: PUBLIC_URL has to be set. */
export const forwardedRows = [
  set(
    unset,
    "a page behind a proxy that speaks TLS",
    { ...same, host: "skins.example.org", origin: home, "x-forwarded-proto": "https" },
    false,
  ),
  set(
    unset,
    "another origin that a forwarded host names",
    { ...same, origin: "http://evil.example", "x-forwarded-host": "evil.example" },
    false,
  ),
];

/** The request is one of our own pages, and its cookies are not good. */
const otherCookies: readonly HeaderSet[] = [
  ["no cookie", https, []],
  ["the cookie of plain http, which a neighbour can set", https, ["cloakroom_session=JWT"]],
  ["the cookie twice", https, ["__Host-cloakroom=JWT", "__Host-cloakroom=JWT"]],
  ["another one of its name before it", https, ["__Host-cloakroom=x", "__Host-cloakroom=JWT"]],
  ["another one of its name behind it", unset, ["cloakroom_session=JWT", "cloakroom_session=x"]],
  ["its name in capitals", https, ["__HOST-cloakroom=JWT"]],
  ["the cookie of https", http, ["__Host-cloakroom=JWT"]],
  ["no token", https, ["__Host-cloakroom=x.y.z"]],
  ["quotes", https, ['__Host-cloakroom="JWT"']],
].map(([name, place, cookies]) =>
  // the table's own types, which the array of mixed values loses
  set(
    place as Place,
    `cookies: ${name as string}`,
    { ...own },
    {
      counts: false,
      cookies: cookies as readonly string[],
      opens: true,
    },
  ),
);

/** A program that says itself who it is, whatever the cookie says. */
const withAuthorization = ["Bearer x", "Basic YTpi", ""].map((authorization) =>
  set(
    https,
    `Authorization "${authorization}"`,
    { ...same, origin: home, authorization },
    {
      counts: false,
      opens: true,
    },
  ),
);

export const rows: readonly HeaderSet[] = [
  ...letIn,
  ...withoutHeader,
  ...otherSites,
  ...foreignOrigins,
  ...others,
  ...forwardedRows,
  ...otherCookies,
  ...withAuthorization,
];
