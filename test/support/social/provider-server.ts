import { createHash, randomUUID } from "node:crypto";
import { clientId, clientSecret, type ProviderShape } from "./provider-shapes.ts";

/**
 * A provider of a known shape on the loopback address, where everybody who comes is signed in already. It
 * looks at every request as closely as the strictest of its kind.
 */
export type ProviderServer = AsyncDisposable & {
  readonly url: string;
  /** What was wrong with requests since the last call. */
  readonly takeFaults: () => readonly string[];
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** Codes, tokens and verifiers that passed through: no log may hold one. */
  readonly secrets: () => readonly string[];
  /** Answers the next requests to this path instead; null takes that back. */
  readonly answer: (path: string, answer: (() => Response | Promise<Response>) | null) => void;
  /** Answers about the person from now on. */
  readonly become: (profile: ProviderShape["profile"]) => void;
  /** Gives out a code without a browser, as to a website that began without PKCE. */
  readonly giveCode: (redirectUri: string) => string;
};

type Grant = { readonly redirectUri: string; readonly challenge: string | null };

/** What a provider remembers. */
type Desk = {
  readonly shape: ProviderShape;
  readonly redirectUri: () => string;
  readonly grants: Map<string, Grant>;
  readonly tokens: Set<string>;
  readonly secrets: string[];
  readonly faults: string[];
};

export function startProvider(shape: ProviderShape, redirect: string | (() => string)): ProviderServer {
  const redirectUri = () => (typeof redirect === "string" ? redirect : redirect());
  const known = { grants: new Map<string, Grant>(), tokens: new Set<string>(), secrets: [clientSecret] };
  const desk: Desk = { shape, redirectUri, ...known, faults: [] };
  const asked: string[] = [];
  const instead = new Map<string, () => Response | Promise<Response>>();
  let profile = shape.profile;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const url = new URL(request.url);
      asked.push(url.pathname);
      const other = instead.get(url.pathname);
      if (other !== undefined) return other();
      if (url.pathname === shape.authorize) return authorize(desk, url);
      if (url.pathname === shape.token) return giveToken(desk, request);
      const answer = profile[url.pathname];
      if (answer !== undefined) return aboutPerson(desk, request, answer);
      desk.faults.push(`nothing is at ${url.pathname}`);
      return new Response("not here", { status: 404 });
    },
  });

  return {
    url: `http://127.0.0.1:${server.port}`,
    takeFaults: () => desk.faults.splice(0),
    asked,
    secrets: () => desk.secrets,
    answer: (path, answer) => {
      if (answer === null) instead.delete(path);
      else instead.set(path, answer);
    },
    become: (next) => {
      profile = next;
    },
    giveCode: (to) => giveCode(desk, { redirectUri: to, challenge: null }),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function check({ faults }: Desk, fits: boolean, fault: string): boolean {
  if (!fits) faults.push(fault);
  return fits;
}

function giveCode({ grants, secrets }: Desk, grant: Grant): string {
  const code = `code-${randomUUID()}`;
  grants.set(code, grant);
  secrets.push(code);
  return code;
}

function authorize(desk: Desk, { searchParams: query }: URL): Response {
  const redirectUri = desk.redirectUri();
  check(desk, query.get("response_type") === "code", "response_type");
  check(desk, query.get("client_id") === clientId, "client_id");
  check(desk, query.get("redirect_uri") === redirectUri, "redirect_uri");
  check(desk, query.get("scope") === desk.shape.scope, `scope ${query.get("scope")}`);
  check(desk, query.get("code_challenge_method") === "S256", "code_challenge_method");
  check(desk, /^[\w-]{43}$/.test(query.get("code_challenge") ?? ""), "code_challenge");
  const code = giveCode(desk, { redirectUri, challenge: query.get("code_challenge") });
  const back = new URL(redirectUri);
  back.search = new URLSearchParams({ code, state: query.get("state") ?? "" }).toString();
  return new Response(null, { status: 302, headers: { location: back.href } });
}

async function giveToken(desk: Desk, request: Request): Promise<Response> {
  const { shape, grants, tokens, secrets } = desk;
  const form = new URLSearchParams(await request.text());
  const type = request.headers.get("content-type") ?? "";
  check(desk, request.method === "POST", "method");
  check(desk, type.startsWith("application/x-www-form-urlencoded"), `content-type ${type}`);
  check(desk, request.headers.get("accept") === "application/json", "accept");
  check(desk, form.get("grant_type") === "authorization_code", "grant_type");
  const isKnown = check(desk, isClient(shape, request, form), "client authentication");
  if (!isKnown) return Response.json({ error: "invalid_client" }, { status: 401 });
  const grant = grants.get(form.get("code") ?? "");
  grants.delete(form.get("code") ?? "");
  const verifier = form.get("code_verifier");
  if (verifier !== null) secrets.push(verifier);
  const fits =
    grant !== undefined &&
    check(desk, form.get("redirect_uri") === grant.redirectUri, "redirect_uri of the token request") &&
    check(desk, challengeOf(verifier) === grant.challenge, "code_verifier");
  if (!fits) return Response.json(shape.refusal.body, { status: shape.refusal.status });
  const accessToken = `token-${randomUUID()}`;
  tokens.add(accessToken);
  secrets.push(accessToken);
  return Response.json({ access_token: accessToken, ...shape.tokenFields });
}

function aboutPerson(desk: Desk, request: Request, answer: string): Response {
  const [, given = ""] = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
  for (const [name, value] of Object.entries(desk.shape.headers)) {
    check(desk, request.headers.get(name) === value, `${name} of the request for the profile`);
  }
  if (!check(desk, desk.tokens.has(given), "access token")) return Response.json({}, { status: 401 });
  return new Response(answer, { headers: { "content-type": "application/json; charset=utf-8" } });
}

function isClient(shape: ProviderShape, request: Request, form: URLSearchParams): boolean {
  const header = request.headers.get("authorization");
  if (shape.authentication === "form") {
    return (
      header === null && form.get("client_id") === clientId && form.get("client_secret") === clientSecret
    );
  }
  if (form.has("client_id") || form.has("client_secret")) return false;
  const [id = "", secret = ""] = atob((header ?? "").replace(/^Basic /, "")).split(":");
  return formDecode(id) === clientId && formDecode(secret) === clientSecret;
}

function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

function challengeOf(verifier: string | null): string | null {
  return verifier === null ? null : createHash("sha256").update(verifier).digest("base64url");
}
