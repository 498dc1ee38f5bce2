/* A newcomer's doings: registering, renaming, resetting, however often the service dies meanwhile. */
import { accountFact, confirmedFact, heldNameFact, nameFact } from "./facts.ts";
import type { Change, Ledger } from "./ledger.ts";
import type { CodePage, PostOffice } from "./post-office.ts";
import { expectStatus, insist, type Answer, type Served } from "./service.ts";

/** What the ledger has no word for. */
export type Newcomer = {
  readonly mail: string;
  password: string;
  /** Was asked for, and may hold or not. */
  pendingPassword: string | null;
  readonly formerPasswords: string[];
  readonly usedCodes: { readonly page: CodePage; readonly code: string }[];
  readonly posted: Readonly<Record<"confirm" | "reset" | "password-changed", Posting>>;
  /** Whether anything was promised since this was last looked at. */
  changed: boolean;
};

/**
 * Requests that post a mail of one kind: how many were sent and not refused, and how many of them were
 * answered.
 */
export type Posting = { asked: number; answered: number };

export type World = { readonly service: Served; readonly office: PostOffice; readonly ledger: Ledger };

export function newcomer(number: number): Newcomer {
  return {
    mail: `newcomer${number}@example.org`,
    password: `first password of ${number}`,
    pendingPassword: null,
    formerPasswords: [],
    usedCodes: [],
    posted: {
      confirm: { asked: 0, answered: 0 },
      reset: { asked: 0, answered: 0 },
      "password-changed": { asked: 0, answered: 0 },
    },
    changed: false,
  };
}

/**
 * A registration, a rename, a reset and another rename. Throws at an answer that the contract does not allow.
 */
export async function settleIn(world: World, self: Newcomer, number: number): Promise<void> {
  const { service, office } = world;
  const nextConfirmCode = office.readCodes(self.mail, "confirm");
  const nextResetCode = office.readCodes(self.mail, "resetpassword");
  await register(world, self);
  await confirm(world, self, nextConfirmCode);
  const token = await signIn(world, self);
  const [first, second, third] = [`Member_${number}`, `Renamed_${number}`, `Again_${number}`];
  await finish(world, self, { token, username: first, password: `chosen password of ${number}` });
  await rename(world, self, { token, before: first, username: second });
  await reset(world, self, { nextCode: nextResetCode, password: `second password of ${number}` });
  expectStatus(await insist(() => service.ask({ line: "GET /api/home", token })), [401]);
  await rename(world, self, { token: await signIn(world, self), before: second, username: third });
}

async function register(world: World, self: Newcomer): Promise<void> {
  const json = { mail: self.mail, password: self.password };
  await untilDone(world, self, { adds: [accountFact(self.mail), nameFact(self.mail, "")] }, async () => {
    const request = { line: "POST /api/auth/register", json };
    expectStatus(await insist(() => post(self.posted.confirm, () => world.service.ask(request))), [200]);
  });
}

async function confirm(world: World, self: Newcomer, nextCode: () => Promise<string>): Promise<void> {
  await untilDone(world, self, { adds: [confirmedFact(self.mail)] }, async () => {
    const code = await useCode(world, self, {
      nextCode,
      use: (code) => world.service.ask({ line: "POST /api/auth/confirm", json: { code } }),
      password: self.password,
    });
    self.usedCodes.push({ page: "confirm", code });
  });
}

async function finish(
  world: World,
  self: Newcomer,
  { token, ...json }: { readonly token: string; readonly username: string; readonly password: string },
): Promise<void> {
  const change = { removes: [nameFact(self.mail, "")], adds: [nameFact(self.mail, json.username)] };
  self.pendingPassword = json.password;
  await untilDone(world, self, change, async () => {
    const request = { line: "POST /api/home/registerfinish", json, token };
    const answer = await insist(() => world.service.ask(request));
    expectStatus(answer, answer.doubtful ? [200, 409] : [200]);
    changePassword(self, json.password);
  });
}

async function rename(
  world: World,
  self: Newcomer,
  { token, before, username }: { readonly token: string; readonly before: string; readonly username: string },
): Promise<void> {
  const { mail, password } = self;
  const change = {
    removes: [nameFact(mail, before)],
    adds: [nameFact(mail, username), heldNameFact(mail, before)],
  };
  await untilDone(world, self, change, async () => {
    const request = { line: "PATCH /api/home/edit/username", json: { username, password }, token };
    expectStatus(await insist(() => world.service.ask(request)), [200]);
  });
}

async function reset(
  world: World,
  self: Newcomer,
  { nextCode, password }: { readonly nextCode: () => Promise<string>; readonly password: string },
): Promise<void> {
  const { ask } = world.service;
  const request = { line: "POST /api/auth/forgetpass", json: { mail: self.mail } };
  expectStatus(await insist(() => post(self.posted.reset, () => ask(request))), [200]);
  self.pendingPassword = password;
  await untilDone(world, self, {}, async () => {
    const use = (code: string) => {
      const update = { line: "POST /api/auth/forgetpass/update", json: { code, password } };
      return post(self.posted["password-changed"], () => ask(update));
    };
    const code = await useCode(world, self, { nextCode, use, password });
    self.usedCodes.push({ page: "resetpassword", code });
    changePassword(self, password);
  });
}

/** Has it done for certain, asking as often as that takes. Until then it may be kept or not. */
async function untilDone(
  { ledger }: World,
  self: Newcomer,
  change: Change,
  work: () => Promise<void>,
): Promise<void> {
  await ledger.change(change, async () => {
    await work();
    return { status: 200 };
  });
  self.changed = true;
}

/** Uses codes that come by mail until one works, after which `password` does; that code. */
async function useCode(
  world: World,
  self: Newcomer,
  given: {
    readonly nextCode: () => Promise<string>;
    readonly use: (code: string) => Promise<Answer | null>;
    readonly password: string;
  },
): Promise<string> {
  for (;;) {
    const code = await given.nextCode();
    const answer = await insist(() => given.use(code));
    expectStatus(answer, [200, 400]);
    if (answer.status === 200) return code;
    // A code that a newer one replaced is refused, and so is one that did its work unanswered.
    if (!answer.doubtful) continue;
    const { status } = await insist(() => world.service.ask(signInRequest(self.mail, given.password)));
    if (status === 200) return code;
  }
}

async function signIn({ service }: World, { mail, password }: Newcomer): Promise<string> {
  const answer = await insist(() => service.ask(signInRequest(mail, password)));
  expectStatus(answer, [200]);
  return String(answer.data["jwt"]);
}

export function signInRequest(username: string, password: string) {
  return { line: "POST /api/auth/login", json: { username, password } };
}

function changePassword(self: Newcomer, password: string): void {
  self.formerPasswords.push(self.password);
  self.password = password;
  self.pendingPassword = null;
}

/** Counts a request that posts a mail where it is done. */
async function post(posting: Posting, ask: () => Promise<Answer | null>): Promise<Answer | null> {
  posting.asked += 1;
  const answer = await ask();
  if (answer === null) return null;
  if (answer.status === 200) posting.answered += 1;
  else posting.asked -= 1;
  return answer;
}
