/**
 * A second protocol beside the API: the same use cases, guards and limits, and failures in a form of its own.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { readProfile } from "../../src/domain/members/profile.ts";
import { limitByAddress } from "../../src/http/admission.ts";
import { jsonReader } from "../../src/http/body.ts";
import { readUuid, uuidField } from "../../src/http/fields.ts";
import type { Services } from "../../src/domain/use-cases/services.ts";
import type { Http } from "../../src/http/http.ts";
import { below, route } from "../../src/http/routing/route.ts";
import { t } from "../../src/http/routing/schema.ts";
import type { Failure, Surface } from "../../src/http/surface.ts";
import { PlainError } from "../../src/kernel/errors.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";

const noSkin = "5f0c1f3e-9d4a-4c52-8f7e-0a6b2d9c4e11";

/** A protocol with two keys in its failures and words of its own for fields. */
function toySurface({ players, reads, clock }: Services, { guards, requests }: Http): Surface {
  const routes = () =>
    below("/api/toy", "Toys", [
      route("GET", "/profile", {
        guard: guards.member,
        handle: async ({ member }) => ({
          id: (await readProfile(reads, member, clock.nowSeconds())).account.uuid,
        }),
      }),
      route("POST", "/skin", {
        guard: guards.player,
        read: jsonReader({ bytesMax: 100 }),
        body: t.Object({ selectedProfile: uuidField("A skin", noSkin, "skin") }),
        handle: async ({ actor, member, player, body }) => {
          const skin = readUuid("selectedProfile", body.selectedProfile);
          await players.dressOwn(actor, member, { player: { by: "id", value: player.id }, skin });
          return new Response(null, { status: 204 });
        },
      }),
      route("POST", "/limited", {
        before: limitByAddress(requests, refuseAll),
        read: jsonReader(),
        handle: () => ({}),
      }),
      route("GET", "/fault", {
        handle: () => {
          throw new Error("a fault");
        },
      }),
    ]);
  return { prefixes: ["/api/toy"], routes, presentFailure };
}

function refuseAll(): never {
  throw new PlainError("limited", "Too many", { retryAfterSeconds: 7 });
}

function presentFailure({ kind: code, status, message, headers }: Failure): Response {
  return Response.json({ error: code, errorMessage: message }, { status, headers });
}

let harness: Harness;
let member: Member;
beforeAll(async () => {
  harness = await openHarness({ surfaces: [toySurface] });
  member = await addMember(harness, "Anna");
});
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => harness.takeComplaints());

type Failing = {
  readonly name: string;
  readonly request: string;
  readonly body?: string;
  readonly stranger?: true;
  readonly status: number;
  readonly error: string;
  readonly errorMessage: string | RegExp;
  readonly headers?: Readonly<Record<string, string>>;
};

const wearing = (selectedProfile: unknown) => JSON.stringify({ selectedProfile });

test.each<Failing>([
  {
    name: "a body that breaks a rule",
    request: "POST skin",
    body: wearing(1),
    status: 400,
    error: "invalid",
    errorMessage: "selectedProfile: must be a UUID",
  },
  {
    name: "a body that is no JSON",
    request: "POST skin",
    body: "{",
    status: 400,
    error: "invalid",
    errorMessage: "The body is not valid JSON",
  },
  {
    name: "no token",
    request: "GET profile",
    stranger: true,
    status: 401,
    error: "unauthenticated",
    errorMessage: "Sign in: the Authorization header must be Bearer <JWT>",
  },
  {
    name: "a refusal of the use case, in the surface's own word for the field",
    request: "POST skin",
    body: wearing(noSkin),
    status: 400,
    error: "invalid",
    errorMessage: `selectedProfile: the player's wardrobe holds no skin ${noSkin}`,
  },
  {
    name: "an unknown path",
    request: "GET nothing/here",
    status: 404,
    error: "not_found",
    errorMessage: "There is nothing at this address",
  },
  {
    name: "another method",
    request: "DELETE skin",
    status: 405,
    error: "wrong_method",
    errorMessage: "This address takes POST only",
    headers: { allow: "POST" },
  },
  {
    name: "a body that is too large",
    request: "POST skin",
    body: wearing("x".repeat(200)),
    status: 413,
    error: "too_large",
    errorMessage: "The body may have 100 bytes at most",
  },
  {
    name: "a limit",
    request: "POST limited",
    body: "{}",
    status: 429,
    error: "limited",
    errorMessage: "Too many",
    headers: { "retry-after": "7" },
  },
  {
    name: "a fault",
    request: "GET fault",
    status: 500,
    error: "internal",
    errorMessage: /^Internal error \(request [0-9a-z-]+\)$/,
  },
])("presents $name in its own form: $status", async ({ request, body, stranger, ...wanted }) => {
  const [method = "", path = ""] = request.split(" ");
  const response = await harness.fetch(`/api/toy/${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(stranger ? {} : { authorization: member.authorization }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const { error, errorMessage } = wanted;
  expect(await response.json()).toEqual({
    error,
    errorMessage: typeof errorMessage === "string" ? errorMessage : expect.stringMatching(errorMessage),
  });
  expect(response.status).toBe(wanted.status);
  expect(Object.fromEntries(response.headers)).toMatchObject({ ...wanted.headers });
});

/** Failures before any route is looked up. */
const envelope = (msg: unknown) => ({ error: true, msg, url: null, data: {} });

const askOfNoHost = async (path: string) => (await harness.fetch(path, { headers: { host: "a, b" } })).json();

test("presents a bad host in its own form", async () => {
  const msg = "Host: must name one host, as in skins.example.org";
  expect(await askOfNoHost("/api/toy/profile")).toEqual({ error: "invalid", errorMessage: msg });
  expect(await askOfNoHost("/api/home")).toEqual(envelope(msg));
});

test("presents a limit that is met before the body is read in its own form", async () => {
  await using world = await openHarness({
    surfaces: [toySurface],
    settings: { RATE_LIMIT_FACTOR: "1" },
  });
  const { authorization } = await addMember(world, "Ben");
  const headers = { authorization, "content-type": "application/json" };
  const send = (path: string) => world.fetch(path, { method: "POST", headers, body: "{" });
  let refused = await send("/api/toy/skin");
  for (let sent = 1; refused.status === 400 && sent < 1000; sent++) refused = await send("/api/toy/skin");
  const msg = expect.stringMatching(/^Too many/);
  expect(await refused.json()).toEqual({ error: "limited", errorMessage: msg });
  expect(await (await send("/api/home/edit/skin/select")).json()).toEqual(envelope(msg));
});

test.each(["/api/home", "/api/toys", "/api/nothing", "/nothing"])("leaves %s to the API", async (path) => {
  const response = await harness.fetch(path, { method: "PATCH" });
  expect(await response.json()).toEqual(envelope(expect.any(String)));
});

test("a fault of the surface is logged once, with the number that the answer names", async () => {
  const response = await harness.fetch("/api/toy/fault");
  const [line, ...more] = harness.takeComplaints();
  expect(more).toEqual([]);
  expect(await response.json()).toMatchObject({
    errorMessage: expect.stringContaining(String(line?.["requestId"])),
  });
  expect(response.headers.get("x-request-id")).toBe(String(line?.["requestId"]));
});
