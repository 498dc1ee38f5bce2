import { afterAll, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { setLevel } from "../../src/domain/members/levels.ts";
import type { Level } from "../../src/domain/model/account.ts";
import { consolePages } from "../../src/words/page-list.ts";
import { pageHeaders } from "../support/console.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, signIn, type Member } from "../support/members.ts";

/** Who may use a route. Others get 401 or 403 before anything else is looked at. */
type Access = "everybody" | "member" | "player" | "moderator" | "administrator" | "service";

/** Every route. One that is missing here, or that does not exist, fails a test. */
const table: Readonly<Record<Access, readonly string[]>> = {
  everybody: [
    "POST /api/auth/login",
    "GET /console/session",
    "POST /console/session",
    "DELETE /console/session",
    "POST /console/register",
    "POST /console/confirm/address",
    "POST /console/confirm",
    "POST /console/setup",
    "GET /console/social",
    "POST /console/social",
    "POST /api/auth/register",
    "POST /api/auth/confirm",
    "POST /api/auth/forgetpass",
    "POST /api/auth/forgetpass/validate",
    "POST /api/auth/forgetpass/update",
    "GET /api/skin/launcher/:uuid",
    "GET /api/skin/launcher/envelope/:uuid",
    "GET /api/skin/head/:uuid",
    "GET /api/skin/body/:uuid",
    "GET /api/skin/cloak/:id",
    "GET /api/skin/elytra/:id",
    "GET /api/skin/standart/:uuid",
    "GET /api/skin/standart/cape/:uuid",
    "GET /api/skin/public/:uuid",
    "GET /api/skin/public/cape/:uuid",
    "GET /textures/:hash",
    "GET /swagger",
    "GET /swagger/json",
    "GET /swagger/:file",
    "GET /mail/unsubscribe/:token",
    "POST /mail/unsubscribe/:token",
    "GET /auth/social/login",
    "GET /auth/social/callback",
    "POST /api/auth/claim",
    "POST /api/auth/login/social",
    "POST /api/auth/register/social",
    "GET /health/live",
    "GET /health/ready",
    ...consolePages.map(({ path }) => `GET ${path}`),
    "GET /favicon.ico",
    "GET /apple-touch-icon.png",
    "GET /console/accent.css",
    "GET /console/logo",
    "GET /console/preview.png",
    "GET /console/touch-icon",
    "GET /console/assets/:file",
    "GET /console/community",
  ],
  member: [
    "POST /api/auth/logout",
    "GET /api/home",
    "POST /api/home/registerfinish",
    "GET /api/home/export",
    "POST /api/home/delete",
    "DELETE /api/home/delete",
    "GET /api/home/aliases",
    "DELETE /api/home/aliases/:name",
  ],
  player: [
    "GET /api/home/players",
    "POST /api/home/players",
    "PATCH /api/home/players/:uuid",
    "DELETE /api/home/players/:uuid",
    "GET /api/home/sessions",
    "DELETE /api/home/sessions/:id",
    "PATCH /api/home/edit/username",
    "PATCH /api/home/edit/password",
    "PATCH /api/home/edit/language",
    "POST /api/home/mail/request",
    "POST /api/home/mail/validate",
    "POST /api/home/edit/upload",
    "PUT /api/home/edit/skin",
    "POST /api/home/edit/skin/select",
    "POST /api/home/edit/skin/copy",
    "DELETE /api/home/edit/skin",
    "POST /api/home/edit/removesocial",
  ],
  moderator: [
    "GET /api/admin/overview",
    "GET /api/admin/users",
    "GET /api/admin/user/:identifier",
    "GET /api/admin/user/:identifier/players",
    "GET /api/admin/user/:identifier/sessions",
    "GET /api/admin/users/skin/:uuid",
    "GET /api/admin/skins",
    "GET /api/admin/allcapes",
    "GET /api/admin/cape/:cape/owners",
    "GET /api/admin/audit",
    "GET /api/admin/audit/chain",
    "GET /api/admin/skin/:uuid",
    "DELETE /api/admin/user/:identifier/sessions",
    "DELETE /api/admin/user/:identifier/sessions/:sid",
    "PATCH /api/admin/skin/:uuid",
    "DELETE /api/admin/skin/:uuid",
    "GET /api/admin/bans",
    "DELETE /api/admin/bans/:hash",
  ],
  administrator: [
    "GET /api/admin/audit/export",
    "GET /api/admin/installation",
    "PATCH /api/admin/user/:identifier",
    "DELETE /api/admin/user/:identifier",
    "POST /api/admin/user/:identifier/players",
    "PATCH /api/admin/players/:uuid",
    "DELETE /api/admin/players/:uuid",
    "POST /api/admin/user/role/:identifier",
    "POST /api/admin/user/cape/:identifier",
    "POST /api/admin/user/cape/upload",
    "DELETE /api/admin/user/cape/upload",
    "POST /api/admin/cape/:cape/owners",
    "DELETE /api/admin/cape/:cape/owners",
    "POST /api/admin/mail",
    "GET /api/admin/mail",
    "POST /api/admin/mail/preview",
    "POST /api/admin/mail/trial",
    "GET /api/admin/outbox",
    "GET /api/admin/outbox/:id",
    "POST /api/admin/outbox/:id/retry",
    "POST /api/admin/outbox/test",
    "GET /api/admin/tokens",
    "POST /api/admin/tokens",
    "DELETE /api/admin/tokens/:name",
  ],
  service: [
    "POST /api/service/user",
    "POST /api/service/permission",
    "GET /api/service/events",
    "POST /api/service/cape",
    "DELETE /api/service/cape",
  ],
};

const serviceToken = "a service token that is long enough";
const harness = await openHarness({ settings: { SERVICE_API_TOKEN: serviceToken } });
afterAll(() => harness[Symbol.asyncDispose]());

const hour = 3600;
const people = {
  unfinished: await addMember(harness, "Unready", { finished: false }),
  level1: await addMember(harness, "One"),
  level2: await addMember(harness, "Two", { level: 2 }),
  level3: await addMember(harness, "Three", { level: 3 }),
  expired3: await addMember(harness, "Formerly"),
  temporary3: await addMember(harness, "Deputy"),
  lowered3: await addMember(harness, "Lowered", { level: 3 }),
};
const role = async (member: Member, level: Level, seconds: number) => {
  const expiresAt = harness.clock.nowSeconds() + seconds;
  await setLevel(harness.services, commandLine, { account: member.account.id, level, expiresAt });
};
await role(people.expired3, 3, hour);
await role(people.temporary3, 3, 5 * hour);
await role(people.lowered3, 1, 5 * hour);
harness.clock.advance(2 * hour);

/** A fresh session each time: one of the routes ends it. */
const bearer =
  ({ mail, password }: Member) =>
  async () =>
    `Bearer ${await signIn(harness, mail, password)}`;
const ended = async () => {
  const authorization = await bearer(people.level3)();
  await harness.fetch("/api/auth/logout", { method: "POST", headers: { authorization } });
  return authorization;
};

type Verdict = "passes" | 401 | 403;
type Actor = {
  readonly name: string;
  readonly authorization: () => Promise<string | null>;
  readonly verdicts: Readonly<Record<Exclude<Access, "everybody">, Verdict>>;
};

const stranger = { member: 401, player: 401, moderator: 401, administrator: 401, service: 401 } as const;
const unfinished = {
  ...stranger,
  member: "passes",
  player: 403,
  moderator: 403,
  administrator: 403,
} as const;
const player = { ...unfinished, player: "passes" } as const;
const moderator = { ...player, moderator: "passes" } as const;
const administrator = { ...moderator, administrator: "passes" } as const;
const service = { ...stranger, service: "passes" } as const;

const actors: readonly Actor[] = [
  { name: "nobody", authorization: async () => null, verdicts: stranger },
  { name: "an ended session", authorization: ended, verdicts: stranger },
  {
    name: "a made-up token",
    authorization: async () => "Bearer eyJhbGciOiJub25lIn0.e30.",
    verdicts: stranger,
  },
  { name: "an unfinished account", authorization: bearer(people.unfinished), verdicts: unfinished },
  { name: "level 1", authorization: bearer(people.level1), verdicts: player },
  { name: "level 2", authorization: bearer(people.level2), verdicts: moderator },
  { name: "level 3", authorization: bearer(people.level3), verdicts: administrator },
  { name: "level 3 that has ended", authorization: bearer(people.expired3), verdicts: player },
  { name: "level 3 for a time", authorization: bearer(people.temporary3), verdicts: administrator },
  { name: "level 3, lowered for a time", authorization: bearer(people.lowered3), verdicts: player },
  { name: "a service", authorization: async () => serviceToken, verdicts: service },
  { name: "a service's Bearer", authorization: async () => `Bearer ${serviceToken}`, verdicts: service },
  { name: "another token", authorization: async () => `${serviceToken}!`, verdicts: stranger },
];

test("the table holds every route there is, once", () => {
  const listed = Object.values(table).flat();
  expect(listed.toSorted()).toEqual(harness.apiRoutes.toSorted());
});

test.each(actors.map((actor) => [actor.name, actor] as const))("what %s may do", async (_, actor) => {
  const answers: string[] = [];
  const expected: string[] = [];
  for (const [access, routes] of Object.entries(table) as [Access, readonly string[]][]) {
    for (const route of routes) {
      const verdict = access === "everybody" ? "passes" : actor.verdicts[access];
      expected.push(`${route}: ${verdict}`);
      answers.push(`${route}: ${await verdictOn(route, await actor.authorization())}`);
    }
  }
  expect(answers).toEqual(expected);
});

test("a refusal does not show which records exist", async () => {
  const authorization = await bearer(people.level1)();
  const known = await harness.fetch(`/api/admin/user/${people.level2.uuid}`, { headers: { authorization } });
  const unknown = await harness.fetch("/api/admin/user/nobody", { headers: { authorization } });
  expect([known.status, await known.text()]).toEqual([unknown.status, await unknown.text()]);
});

/** An empty body changes nothing: an actor who passes gets 400. */
async function verdictOn(route: string, authorization: string | null): Promise<string> {
  const [method = "", path = ""] = route.split(" ");
  const response = await harness.fetch(path.replace(/:\w+/, "4711"), {
    method,
    headers: {
      ...pageHeaders(path),
      "content-type": "application/json",
      ...(authorization === null ? {} : { authorization }),
    },
    ...(method === "GET" ? {} : { body: "{}" }),
  });
  if (response.status >= 500) throw new Error(`${route}: ${response.status} ${await response.text()}`);
  return response.status === 401 || response.status === 403 ? String(response.status) : "passes";
}
