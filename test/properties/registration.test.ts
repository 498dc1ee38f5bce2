/**
 * Random sequences of what people, staff, services and time do to accounts, through HTTP. After each step
 * every account's stored registration follows the rule, no address is verified without proof, and the audit
 * names the right actor.
 */
import { afterAll, expect, test } from "bun:test";
import * as fc from "fast-check";
import { removeUnconfirmed } from "../../src/domain/accounts/unconfirmed.ts";
import { expireTemporaryLevels } from "../../src/domain/members/levels.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { addMember } from "../support/members.ts";
import { send } from "../support/registration.ts";
import { create, discordPerson, link, metaOf, openSocialWorld } from "../support/social/social-world.ts";
import { signInSocially, type SocialUser } from "../support/social/social-world.ts";

const steps = 1200;
const seed = Number(process.env["SEED"] ?? 1);
const token = "the token of a service that is long enough";

const world = await openSocialWorld({ settings: { SERVICE_API_TOKEN: token, NAME_HOLD_DAYS: "0" } });
afterAll(() => world[Symbol.asyncDispose]());
const { harness, provider } = world;
const { database } = harness;
const chief = await addMember(harness, "Chief", { level: 3 });
const staff = { authorization: chief.authorization };

const mails = ["a@example.org", "B@example.org", "c@example.org"];
const passwords = ["a password of many words", "another password of many words"] as const;
const names = ["Anna", "Berta", "Clara", "Dora", "Emil"];
/** Where the code in a mail is meant to be used. */
const placeOf: Readonly<Record<string, string>> = {
  confirm: "POST /api/auth/confirm",
  reset: "POST /api/auth/forgetpass/update",
  claim: "POST /api/auth/confirm",
  "change-mail": "POST /api/home/mail/validate",
};

const index = fc.nat({ max: 3 });
const step = fc.record({
  kind: fc.oneof(
    { arbitrary: fc.constantFrom("useCode"), weight: 8 },
    { arbitrary: fc.constantFrom("signIn", "register", "finish", "requestMail", "change"), weight: 12 },
    { arbitrary: fc.constantFrom("forget", "rename", "changePassword", "unlink"), weight: 5 },
    { arbitrary: fc.constantFrom("meet", "createSocially", "link", "role", "permission"), weight: 8 },
    { arbitrary: fc.constantFrom("delete", "wait"), weight: 1 },
  ),
  mail: fc.constantFrom(...mails),
  other: fc.constantFrom(...mails, "e@example.org", "f@example.org"),
  password: fc.constantFrom(passwords[0], passwords[0], passwords[0], passwords[1]),
  name: fc.constantFrom(...names),
  level: fc.constantFrom(1, 2, 3),
  flag: fc.boolean(),
  /** Which of the newest codes, sessions or people. */
  index,
  /** Null: the code's own. */
  place: fc.constantFrom(null, null, null, ...Object.values(placeOf)),
  fields: fc.subarray(["username", "mail", "mail_verify", "password", "perms", "dsid"], { minLength: 1 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Sessions of members other than the chief, the newest first, and people who may be linked. */
const tokens: string[] = [];
const people: SocialUser[] = [];
/** Addresses that their owner, their provider or staff has vouched for. */
const vouched = new Set(["chief@example.org"]);

/** Steps that were answered with 200, and the places where a code was good. */
const succeeded = new Set<string>();
const member = (at: number) => ({
  authorization: `Bearer ${tokens[at % Math.max(1, tokens.length)] ?? "x"}`,
});

async function keepToken(response: Response): Promise<Response> {
  if (response.status === 200) {
    tokens.unshift((await readJson<Envelope<{ jwt: string }>>(response)).data.jwt);
    tokens.splice(4);
  }
  return response;
}

type Row = Readonly<Record<string, unknown>>;
const rowsOf = (table: string, after = 0) =>
  database.rows(`SELECT * FROM ${table} WHERE id > ${after} ORDER BY id`);
const idOf = (mail: string) =>
  rowsOf("accounts").find((row) => row["mail_key"] === mail.toLowerCase())?.["id"] ?? 999_999;

/** The newest person's number is used up by a success, and worth nothing after a refusal. */
async function leave(response: Response): Promise<Response> {
  if ([200, 400].includes(response.status)) people.shift();
  return keepToken(response);
}

/** The newest codes that were mailed, with the address of the mailbox. */
const mailedCodes = () =>
  database
    .rows("SELECT recipient, content FROM outbox WHERE content LIKE '%\"code\":%' ORDER BY id DESC LIMIT 4")
    .map(({ recipient, content }) => {
      const { code, template } = JSON.parse(String(content)) as { code: string; template: string };
      return { to: String(recipient), code, template };
    });

const plays: Readonly<Record<Step["kind"], (step: Step) => Promise<Response>>> = {
  register: ({ mail, password }) => send(harness, "POST /api/auth/register", { mail, password }),
  forget: ({ mail }) => send(harness, "POST /api/auth/forgetpass", { mail }),
  useCode: async ({ index: at, place, password }) => {
    const { to, code, template } = mailedCodes()[at] ?? { to: "", code: "AAAAA-AAAAA", template: "reset" };
    const response = await send(harness, place ?? placeOf[template] ?? "", { code, password }, member(at));
    if (!response.ok) return response;
    vouched.add(to.toLowerCase());
    if (place === null) succeeded.add(placeOf[template] ?? "");
    return response;
  },
  signIn: async ({ mail, password }) =>
    keepToken(await send(harness, "POST /api/auth/login", { username: mail, password })),
  finish: ({ index: at, name, password }) =>
    send(harness, "POST /api/home/registerfinish", { username: name, password }, member(at)),
  rename: ({ index: at, name, password }) =>
    send(harness, "PATCH /api/home/edit/username", { username: name, password }, member(at)),
  changePassword: ({ index: at, password, flag }) => {
    const newpassword = flag ? passwords[0] : passwords[1];
    return send(harness, "PATCH /api/home/edit/password", { password, newpassword }, member(at));
  },
  requestMail: ({ index: at, other, password }) =>
    send(harness, "POST /api/home/mail/request", { mail: other, password }, member(at)),
  unlink: ({ index: at, password }) =>
    send(harness, "POST /api/home/edit/removesocial", { password }, member(at)),
  meet: async ({ index: at, mail, other, flag }) => {
    const person = {
      id: `100${at}${other.slice(0, 1).charCodeAt(0)}`,
      username: `nelly${at}`,
      email: mail,
      verified: flag,
    };
    provider.become(discordPerson(person));
    const response = await signInSocially(world);
    if (response.status !== 404) return keepToken(response);
    if (flag) vouched.add(mail.toLowerCase());
    people.unshift((await readJson<Envelope<{ user: SocialUser }>>(response)).data.user);
    return response;
  },
  createSocially: async () => leave(await create(harness, people[0] && metaOf(people[0]))),
  link: async ({ mail, password }) =>
    leave(await link(harness, { name: mail, password }, people[0] && metaOf(people[0]))),
  change: async ({ mail, other, password, name, level, flag, fields }) => {
    const all = { username: name, mail: other, mail_verify: flag, password, perms: level, dsid: flag };
    const change = Object.fromEntries(fields.map((field) => [field, all[field as keyof typeof all]]));
    const response = await send(harness, `PATCH /api/admin/user/${mail}`, change, staff);
    const isVouched = response.ok && change["mail_verify"] === true;
    if (isVouched) vouched.add(String(change["mail"] ?? mail).toLowerCase());
    return response;
  },
  role: async ({ mail, level, flag }) => {
    const end = flag ? { expired_at: harness.clock.nowSeconds() + 3600 } : {};
    const body = { user: idOf(mail), role_level: level, ...end };
    return send(harness, `POST /api/admin/user/role/${mail}`, body, staff);
  },
  permission: ({ mail, level }) =>
    send(
      harness,
      "POST /api/service/permission",
      { userid: idOf(mail), permission: level },
      { authorization: token },
    ),
  delete: ({ mail }) => send(harness, `DELETE /api/admin/user/${mail}`, undefined, staff),
  wait: async ({ index: at }) => {
    harness.clock.advance([60, 3600, 86_400, 700_000][at] ?? 0);
    await expireTemporaryLevels(harness.services);
    await removeUnconfirmed(harness.services, null);
    const { mail: username, password } = chief;
    const response = await send(harness, "POST /api/auth/login", { username, password });
    staff.authorization = `Bearer ${(await readJson<Envelope<{ jwt: string }>>(response)).data.jwt}`;
    return response;
  },
};

/** The rule, written once more. */
function ruleOf(account: Row, players: readonly Row[]): string {
  const player = players.find(({ id }) => id === account["main_player_id"]);
  if (player === undefined) return Number(account["mail_verified"]) === 1 ? "unnamed" : "unconfirmed";
  return Number(player["name_derived"]) === 1 && account["password_hash"] === null ? "unnamed" : "complete";
}

function check(trail: readonly string[]): void {
  const players = rowsOf("players");
  for (const account of rowsOf("accounts")) {
    const { registration, mail_key: mail, mail_verified: isVerified } = account;
    expect({ trail, registration }).toEqual({ trail, registration: ruleOf(account, players) });
    if (Number(isVerified) === 1)
      expect({ trail, mail: [...vouched] }).toEqual({ trail, mail: expect.arrayContaining([mail]) });
    // An account that has a player has a main player, which is its own.
    const own = players.filter(({ account_id: owner }) => owner === account["id"]).map(({ id }) => id);
    expect({ trail, own }).toEqual({
      trail,
      own: own.length === 0 ? [] : expect.arrayContaining([account["main_player_id"]]),
    });
  }
}

/** In whose name each step may write audit, apart from what time ended. */
function issuersOf({ kind }: Step): readonly string[] {
  if (kind === "permission") return ["service:default"];
  return kind === "rename" ? [...names, "nelly"] : ["Chief"];
}

test(`keeps every registration by the rule through ${steps} random steps (SEED=${seed})`, async () => {
  const trail: string[] = [];
  let lastEntry = 0;
  for (const planned of fc.sample(step, { numRuns: steps, seed })) {
    const { status } = await plays[planned.kind](planned);
    trail.push(`${status} ${JSON.stringify(planned)}`);
    if (status === 200) succeeded.add(planned.kind);
    expect({ trail: trail.slice(-12), status }).not.toMatchObject({ status: 500 });
    check(trail.slice(-12));
    for (const { id, issuer, action } of rowsOf("audit_entries", lastEntry)) {
      lastEntry = Number(id);
      if (action === "user.create") continue;
      const wanted = String(action).endsWith(".expire") ? ["system"] : issuersOf(planned);
      expect([trail.at(-1), wanted.some((name) => String(issuer).startsWith(name))]).toEqual([
        trail.at(-1),
        true,
      ]);
    }
  }
  // Neither all refused nor all alike.
  expect(succeeded.size).toBeGreaterThan(14);
}, 60_000);
