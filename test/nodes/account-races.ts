import { expect } from "bun:test";
import { createAccount } from "../../src/domain/accounts/create-account.ts";
import { updateUser } from "../../src/domain/members/administer.ts";
import { keyedHash, secretOf } from "../../src/boot/secrets.ts";
import type { Level } from "../../src/domain/model/account.ts";
import { anonymous, commandLine } from "../../src/domain/model/actor.ts";
import { issueConnection } from "../../src/domain/social/pending.ts";
import { readPostgres, type DatabaseReader } from "../support/database-reader.ts";
import { jwtSecret } from "../support/harness.ts";
import { openTwoNodes, post, type Node, type Nodes } from "./two-nodes.ts";

/** One rule about accounts that two requests at two nodes want to break together, as often as it is asked. */
export type Race = (world: RaceWorld, round: number) => Promise<void>;

export type RaceWorld = {
  readonly nodes: Nodes;
  readonly database: DatabaseReader;
  readonly alpha: Racer;
  readonly beta: Racer;
  /** No administrator, whose sessions end with each new password. */
  readonly gamma: Racer;
};

type Racer = {
  readonly name: string;
  readonly mail: string;
  readonly uuid: string;
  readonly authorization: string;
};

/** As the services make it. */
const connectionHash = keyedHash(secretOf(jwtSecret), "cloakroom social connections");
const password = "x7-Kq!m2-racer";

/** Two nodes, and two administrators who sign in at one each. */
export async function openRaceWorld(): Promise<RaceWorld & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  // So that nothing but the mails to one address is limited.
  const nodes = opened.use(await openTwoNodes({ RATE_LIMIT_FACTOR: "1000", PLAYERS_MAX: "2" }));
  const [one, two] = nodes.both;
  const alpha = await addRacer(one, "Alpha");
  const beta = await addRacer(two, "Beta");
  const gamma = await addRacer(one, "Gamma", 1);
  const database = opened.use(readPostgres(nodes.url));
  const closing = opened.move();
  return { nodes, database, alpha, beta, gamma, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

async function addRacer(node: Node, name: string, level: Level = 3): Promise<Racer> {
  const mail = `${name}@example.org`;
  const given = { mail, username: name, password, level, mailVerified: true } as const;
  const { account } = await createAccount(node.services, commandLine, given);
  const answer = await post(node, "/api/auth/login", { username: mail, password });
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  return { name, mail, uuid: account.uuid, authorization: `Bearer ${data.jwt}` };
}

/** Sends both at once, each to a node, and returns their statuses. */
async function race(one: Promise<Response>, other: Promise<Response>): Promise<readonly number[]> {
  const answers = await Promise.all([one, other]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  const statuses = answers.map(({ status }) => status);
  const faults = statuses.flatMap((status, index) => (status >= 500 ? [`${status} ${texts[index]}`] : []));
  expect(faults).toEqual([]);
  return statuses;
}

function change(node: Node, by: Racer, request: string, json: unknown): Promise<Response> {
  const [method = "", path = ""] = request.split(" ");
  const headers = { authorization: by.authorization, "content-type": "application/json" };
  return node.fetch(path, { method, headers, body: JSON.stringify(json) });
}

const won = (statuses: readonly number[]) => statuses.filter((status) => status < 300).length;

/** By the rule that the two at once would break. */
export const races: Readonly<Record<string, Race>> = {
  "a name belongs to one player, in whatever case": async ({ nodes, alpha, beta }, round) => {
    const [one, two] = nodes.both;
    const statuses = await race(
      change(one, alpha, `PATCH /api/admin/players/${alpha.uuid}`, { name: `Racer_${round}` }),
      change(two, beta, `PATCH /api/admin/players/${beta.uuid}`, { name: `rACER_${round}` }),
    );
    expect(statuses.toSorted((first, second) => first - second)).toEqual([200, 409]);
  },
  "a name that was given up is held": async ({ nodes, alpha, beta }, round) => {
    const [one, two] = nodes.both;
    const first = await change(one, alpha, `PATCH /api/admin/players/${alpha.uuid}`, {
      name: `Held_${round}`,
    });
    expect(first.status).toBe(200);
    const statuses = await race(
      change(one, alpha, `PATCH /api/admin/players/${alpha.uuid}`, { name: `Left_${round}` }),
      change(two, beta, `PATCH /api/admin/players/${beta.uuid}`, { name: `hELD_${round}` }),
    );
    expect(statuses).toEqual([200, 409]);
  },
  "a player has a uuid of its own": async ({ nodes, alpha, beta }, round) => {
    const [one, two] = nodes.both;
    const uuid = `00000000-0000-4000-8000-${String(round).padStart(12, "0")}`;
    const second = async (by: Racer) => {
      const made = await change(one, by, "POST /api/home/players", {
        name: `${by.name.slice(0, 4)}_${round}`,
      });
      const { data } = (await made.json()) as { readonly data: { readonly uuid: string } };
      return data.uuid;
    };
    const [ofAlpha, ofBeta] = [await second(alpha), await second(beta)];
    const statuses = await race(
      change(one, alpha, `PATCH /api/admin/players/${ofAlpha}`, { uuid }),
      change(two, beta, `PATCH /api/admin/players/${ofBeta}`, { uuid }),
    );
    expect(statuses.toSorted((first, second) => first - second)).toEqual([200, 409]);
    for (const player of [uuid, statuses[0] === 200 ? ofBeta : ofAlpha]) {
      const gone = await change(one, alpha, `DELETE /api/admin/players/${player}`, {});
      expect(gone.status).toBeLessThan(300);
    }
  },
  "an account has as many players as it may": async ({ nodes, alpha, database }, round) => {
    const [one, two] = nodes.both;
    const statuses = await race(
      change(one, alpha, "POST /api/home/players", { name: `First_${round}` }),
      change(two, alpha, "POST /api/home/players", { name: `Second_${round}` }),
    );
    expect(won(statuses)).toBe(1);
    expect(database.countRows("players WHERE account_id = 1")).toBe(2);
    const name = statuses[0] === 201 || statuses[0] === 200 ? `First_${round}` : `Second_${round}`;
    const found = await one.services.reads.players.findLook({ by: "name", value: name.toLowerCase() });
    await change(one, alpha, `DELETE /api/admin/players/${found?.player.uuid}`, {});
  },
  "an address belongs to one account, and gets one mail": async ({ nodes, database }, round) => {
    const [one, two] = nodes.both;
    const [mail, same] = [`new${round}@example.org`, `NEW${round}@EXAMPLE.org`];
    const statuses = await race(
      post(one, "/api/auth/register", { mail, password }),
      post(two, "/api/auth/register", { mail: same, password }),
    );
    expect(won(statuses)).toBeGreaterThan(0);
    expect(database.countRows(`accounts WHERE mail_key = '${mail}'`)).toBe(1);
    expect(database.mails().filter(({ to }) => to.toLowerCase() === mail)).toHaveLength(1);
  },
  "a code sets no password of two that were registered": async ({ nodes, database }, round) => {
    const [one, two] = nodes.both;
    const mail = `contested${round}@example.org`;
    await race(
      post(one, "/api/auth/register", { mail, password }),
      post(two, "/api/auth/register", { mail, password: `${password}-2` }),
    );
    const letter = database.mails().findLast(({ to }) => to === mail)?.mail;
    const code = letter !== undefined && "code" in letter ? letter.code : "";
    expect((await post(two, "/api/auth/confirm", { code })).status).toBe(200);
    const open = `accounts WHERE mail_key = '${mail}' AND mail_verified AND password_hash IS NULL`;
    expect(database.countRows(open)).toBe(1);
  },
  "a code works once": async ({ nodes, database, gamma }) => {
    const [one, two] = nodes.both;
    nodes.advance(1);
    expect((await post(one, "/api/auth/forgetpass", { mail: gamma.mail })).status).toBe(200);
    const mail = database.mails().findLast(({ to }) => to === gamma.mail)?.mail;
    const code = mail !== undefined && "code" in mail ? mail.code : "";
    const statuses = await race(
      post(one, "/api/auth/forgetpass/update", { code, password: `${password}-1` }),
      post(two, "/api/auth/forgetpass/update", { code, password: `${password}-2` }),
    );
    expect(won(statuses)).toBe(1);
  },
  "a person at a provider is linked to one account": async ({ nodes, database }, round) => {
    const [one, two] = nodes.both;
    const subject = `person ${round}`;
    const person = {
      provider: "discord",
      issuer: "https://discord.example",
      subject,
      username: "x",
      avatar: "",
    };
    const { services } = one;
    const number = await services.transact(anonymous, (tx) =>
      issueConnection(tx, connectionHash, { ...person, verifiedMail: null }),
    );
    const members = await Promise.all(
      ["One", "Two"].map(async (name) => {
        const username = `${name}_${round}`;
        const given = {
          mail: `${username}@example.org`,
          username,
          password,
          level: 1,
          mailVerified: true,
        } as const;
        await createAccount(services, commandLine, given);
        return { username, password, meta: { id: subject, conn_id: number } };
      }),
    );
    const statuses = await race(
      post(one, "/api/auth/login/social", members[0]),
      post(two, "/api/auth/login/social", members[1]),
    );
    expect(won(statuses)).toBe(1);
    expect(database.countRows(`identities WHERE subject = '${subject}'`)).toBe(1);
  },
  "there is always an administrator": async ({ nodes, database, alpha, beta }) => {
    const [one, two] = nodes.both;
    const numbers = { [alpha.name]: 1, [beta.name]: 2 };
    const statuses = await race(
      change(one, alpha, `PATCH /api/admin/user/${numbers[beta.name]}`, { perms: 1 }),
      change(two, beta, `PATCH /api/admin/user/${numbers[alpha.name]}`, { perms: 1 }),
    );
    expect(won(statuses)).toBe(1);
    expect(database.countRows("accounts WHERE level = 3")).toBe(1);
    for (const id of [1, 2])
      await updateUser(one.services, commandLine, { identifier: String(id), change: { permanentLevel: 3 } });
  },
};
