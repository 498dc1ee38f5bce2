/**
 * A right that was taken away has no effect (docs/contract/auth.md#tokens). It is taken away while the body
 * is on its way, while a password is hashed or a texture is stored, and right before the transaction.
 */
import { afterAll, describe, expect, spyOn, test } from "bun:test";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { setLevel } from "../../src/domain/members/levels.ts";
import { suspendUser } from "../../src/domain/members/suspend.ts";
import { revokeToken } from "../../src/domain/services/tokens.ts";
import { cheapHasher, openHarness, type Harness } from "../support/harness.ts";
import type { Member } from "../support/members.ts";
import { beginRaw } from "../support/raw-http.ts";
import {
  castFor,
  guardedRoutes,
  temporarySeconds,
  tokenName,
  type Change,
  type Guarded,
} from "./guarded-routes.ts";

/** Moments between the second look at the right and the change. */
type Moment = "password" | "texture" | "transaction";

/** Work that is done once, in the middle of the next request. */
let meanwhile: { readonly moment: Moment; readonly work: () => Promise<unknown> } | null = null;
async function interrupt(at: Moment): Promise<void> {
  if (meanwhile?.moment !== at) return;
  const { work } = meanwhile;
  meanwhile = null;
  await work();
}

const harness: Harness = await openHarness({
  hasher: {
    ...cheapHasher,
    hash: async (password) => {
      await interrupt("password");
      return cheapHasher.hash(password);
    },
    verify: async (password, hash) => {
      await interrupt("password");
      return cheapHasher.verify(password, hash);
    },
  },
  blobs: {
    put: async (hash, bytes) => {
      await interrupt("texture");
      return harness.services.blobs.put(hash, bytes);
    },
    // What an upload does with a bitmap that is there.
    read: async (file) => {
      await interrupt("texture");
      return harness.services.blobs.read(file);
    },
  },
  beforeTransaction: () => interrupt("transaction"),
});
afterAll(() => harness[Symbol.asyncDispose]());
const { address } = harness.listen();
// The last administrator cannot be demoted, and is not among the actors.
await castFor(harness, "administrator", false);

type Loss = {
  readonly name: string;
  readonly who: readonly Guarded[];
  readonly status: 401 | 403;
  readonly isTemporary?: true;
  readonly happen: (harness: Harness, actor: Member) => Promise<unknown>;
};

const staff = ["moderator", "administrator"] as const;
const signedIn = ["member", "player", ...staff] as const;

/** The ways in which rights are lost. */
const losses: readonly Loss[] = [
  {
    name: "the session is ended",
    who: signedIn,
    status: 401,
    happen: ({ services }, { account }) =>
      services.transact(system, ({ sessions }) => sessions.deleteSessionsOf(account.id)),
  },
  {
    name: "the account is suspended",
    who: signedIn,
    status: 401,
    happen: ({ services }, { account }) =>
      suspendUser(services, commandLine, {
        identifier: String(account.id),
        terms: { until: null, reason: "" },
      }),
  },
  {
    name: "the session runs out",
    who: signedIn,
    status: 401,
    happen: async ({ clock }) => clock.advance(25 * 3600),
  },
  {
    name: "the level is lowered",
    who: staff,
    status: 403,
    happen: ({ services }, { account }) =>
      setLevel(services, commandLine, { account: account.id, level: 1, expiresAt: null }),
  },
  {
    name: "the level is lowered for a time",
    who: staff,
    status: 403,
    happen: ({ services, clock }, { account }) =>
      setLevel(services, commandLine, { account: account.id, level: 1, expiresAt: clock.nowSeconds() + 60 }),
  },
  {
    name: "the temporary level ends",
    who: staff,
    status: 403,
    isTemporary: true,
    happen: async ({ clock }) => clock.advance(temporarySeconds),
  },
  {
    name: "the token is revoked",
    who: ["service"],
    status: 401,
    happen: ({ services }, actor) => revokeToken(services, commandLine, tokenName(actor)),
  },
  {
    name: "the token loses its right",
    who: ["service"],
    status: 403,
    happen: async ({ database }, actor) =>
      database.change(`UPDATE service_tokens SET may = '[]' WHERE name = '${tokenName(actor)}'`),
  },
];

const routes = Object.entries(guardedRoutes);
const cases = routes.flatMap(([route, { who }]) =>
  losses.filter((loss) => loss.who.includes(who)).map((loss) => [route, loss.name, loss] as const),
);

test("every route that asks for a right and is no GET is in the table", async () => {
  const guarded: string[] = [];
  for (const route of harness.apiRoutes) {
    const [method = "", path = ""] = route.split(" ");
    if (method === "GET") continue;
    const response = await harness.fetch(path.replace(/:\w+/, "4711"), { method });
    if (response.status === 401) guarded.push(route);
  }
  expect(Object.keys(guardedRoutes).toSorted()).toEqual(guarded.toSorted());
});

type Rows = ReturnType<Harness["database"]["everything"]>;
type Sent = { readonly type: string; readonly bytes: Uint8Array };

async function bodyOf({ json, form }: Change): Promise<Sent | null> {
  if (form === undefined && json === undefined) return null;
  const body = form === undefined ? Response.json(json) : new Response(form);
  return { type: body.headers.get("content-type") ?? "", bytes: await body.bytes() };
}

/** Resolves after the next look of a guard, once it has had the time to refuse. */
async function nextLook(who: Guarded): Promise<void> {
  const { sessions, serviceTokens } = harness.services.reads;
  const { promise: looked, resolve } = Promise.withResolvers<void>();
  const { findSession } = sessions;
  const { listTokens } = serviceTokens;
  using _look =
    who === "service"
      ? spyOn(serviceTokens, "listTokens").mockImplementation(() => (resolve(), listTokens()))
      : spyOn(sessions, "findSession").mockImplementation((id) => (resolve(), findSession(id)));
  await looked;
  await new Promise((done) => void setImmediate(done));
}

/** Sends the head, then does something, then sends the body. */
async function trickle(
  route: string,
  request: { readonly authorization: string; readonly path: string; readonly body: Sent },
  between: () => Promise<unknown>,
): Promise<number> {
  const [method = ""] = route.split(" ");
  const { authorization, path, body } = request;
  const looked = nextLook(guardedRoutes[route]!.who);
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    `Authorization: ${authorization}`,
    `Content-Type: ${body.type}`,
    `Content-Length: ${body.bytes.length}`,
  ];
  const { send, answer } = beginRaw(address, `${head.join("\r\n")}\r\n\r\n`);
  await looked;
  await between();
  send(body.bytes);
  return Number((await answer).split(" ")[1]);
}

describe("while the body is on its way", () => {
  test.each(routes)("%s succeeds where nothing happens", async (route, { who, change, changes }) => {
    const cast = await castFor(harness, who, false);
    const made = await change(cast);
    const body = await bodyOf(made);
    if (body === null) return;
    const before = harness.database.everything();
    const request = { authorization: cast.authorization, path: made.path, body };
    expect([200, 204]).toContain(await trickle(route, request, async () => {}));
    if (changes !== false) expect(harness.database.everything()).not.toEqual(before);
  });

  test.each(cases)("%s is refused when %s", async (route, _, loss) => {
    const { who, change } = guardedRoutes[route]!;
    const cast = await castFor(harness, who, loss.isTemporary === true);
    const made = await change(cast);
    const body = await bodyOf(made);
    // What has no body waits for none.
    if (body === null) return;
    const files = await harness.countFiles();
    let rows: Rows = {};
    const request = { authorization: cast.authorization, path: made.path, body };
    const status = await trickle(route, request, async () => {
      await loss.happen(harness, cast.actor);
      rows = harness.database.everything();
    });
    expect(status).toBe(loss.status);
    expect(harness.database.everything()).toEqual(rows);
    expect(await harness.countFiles()).toBe(files);
  });

  test("an administrator who is demoted cannot make themself one again", async () => {
    const cast = await castFor(harness, "administrator", false);
    const path = `/api/admin/user/${cast.actor.name}`;
    const body = await bodyOf({ path, json: { perms: 3 } });
    const request = { authorization: cast.authorization, path, body: body! };
    const { account } = cast.actor;
    const status = await trickle("PATCH /api/admin/user/:identifier", request, () =>
      setLevel(harness.services, commandLine, { account: account.id, level: 1, expiresAt: null }),
    );
    expect(status).toBe(403);
    const member = await harness.services.reads.accounts.findMember({ by: "id", value: account.id });
    expect(member?.account.permanentLevel).toBe(1);
  });
});

function request(route: string, authorization: string, { path, json, form }: Change) {
  const [method = ""] = route.split(" ");
  const type: Record<string, string> = json === undefined ? {} : { "content-type": "application/json" };
  const body = form ?? (json === undefined ? null : JSON.stringify(json));
  return harness.fetch(path, { method, headers: { authorization, ...type }, body });
}

const moments: readonly (readonly [string, Moment])[] = [
  ["while a password is hashed", "password"],
  ["while a texture is stored", "texture"],
  ["right before the change", "transaction"],
];

describe.each(moments)("%s", (_, moment) => {
  const waitingCases = cases.filter(([route]) => {
    const { changes, waitsFor } = guardedRoutes[route]!;
    return moment === "transaction" ? changes !== false : waitsFor === moment;
  });

  test.each(waitingCases)("%s is refused when %s", async (route, _loss, loss) => {
    const { who, change } = guardedRoutes[route]!;
    const cast = await castFor(harness, who, loss.isTemporary === true);
    const made = await change(cast);
    const files = await harness.countFiles();
    let rows: Rows = {};
    const work = async () => {
      await loss.happen(harness, cast.actor);
      rows = harness.database.everything();
    };
    meanwhile = { moment, work };
    const response = await request(route, cast.authorization, made);
    expect(meanwhile).toBeNull();
    expect(response.status).toBe(loss.status);
    expect(harness.database.everything()).toEqual(rows);
    expect(await harness.countFiles()).toBe(files);
  });
});

test.each(routes)("%s succeeds by a level that holds for a time", async (route, { who, change }) => {
  const cast = await castFor(harness, who, true);
  const response = await request(route, cast.authorization, await change(cast));
  expect([200, 204]).toContain(response.status);
});
