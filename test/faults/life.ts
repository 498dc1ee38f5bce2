/* One member's doings: registering, renaming, resetting, however often the service dies meanwhile. */
import type { CodePage, PostOffice } from "./post-office.ts";
import type { Answer, Request, Service } from "./service.ts";

/** Requests that post a mail of one kind: how many were sent and not refused, and how many of them were answered. */
export type Posting = { asked: number; answered: number };

/** What one member was told, and so must find. What is pending was asked for, and may hold or not. */
export type Promised = {
  readonly mail: string;
  stage: "stranger" | "registered" | "confirmed" | "finished";
  password: string;
  pendingPassword: string | null;
  name: string;
  pendingName: string | null;
  readonly formerNames: string[];
  readonly formerPasswords: string[];
  readonly usedCodes: { readonly page: CodePage; readonly code: string }[];
  readonly posted: {
    readonly confirm: Posting;
    readonly reset: Posting;
    readonly "password-changed": Posting;
  };
  /** Registrations, renames and resets that are done. */
  operations: number;
  /** Whether anything was promised since this was last looked at. */
  changed: boolean;
};

export type World = { readonly service: Service; readonly office: PostOffice };

export function stranger(number: number): Promised {
  return {
    mail: `member${number}@example.org`,
    stage: "stranger",
    password: `first password of ${number}`,
    pendingPassword: null,
    name: "",
    pendingName: null,
    formerNames: [],
    formerPasswords: [],
    usedCodes: [],
    posted: {
      confirm: { asked: 0, answered: 0 },
      reset: { asked: 0, answered: 0 },
      "password-changed": { asked: 0, answered: 0 },
    },
    operations: 0,
    changed: false,
  };
}

/** How many registrations, renames and resets one life has. */
export const operationsOfLife = 4;

/** A registration, a rename, a reset and another rename. Throws at an answer that the contract does not allow. */
export async function live(world: World, self: Promised, number: number): Promise<void> {
  const ask = (request: Request) => world.service.ask(request);
  const nextConfirmCode = world.office.readCodes(self.mail, "confirm");
  const nextResetCode = world.office.readCodes(self.mail, "resetpassword");
  await register(ask, self);
  await confirm(ask, self, nextConfirmCode);
  const token = await signIn(ask, self);
  await finish(ask, self, token, number);
  await rename(ask, self, token, `Renamed_${number}`);
  await reset(ask, self, nextResetCode, `second password of ${number}`);
  expectStatus(await insist(() => ask({ line: "GET /api/home", token })), [401]);
  await rename(ask, self, await signIn(ask, self), `Again_${number}`);
}

type Ask = Service["ask"];
/** `doubtful` where an earlier try was cut off: it may be what worked. */
type Insisted = Answer & { readonly doubtful: boolean };

async function register(ask: Ask, self: Promised): Promise<void> {
  const json = { mail: self.mail, password: self.password };
  const request = { line: "POST /api/auth/register", json };
  expectStatus(await insist(() => post(self.posted.confirm, () => ask(request))), [200]);
  promise(self, { stage: "registered" });
}

async function confirm(ask: Ask, self: Promised, nextCode: () => Promise<string>): Promise<void> {
  for (;;) {
    const code = await nextCode();
    const answer = await insist(() => ask({ line: "POST /api/auth/confirm", json: { code } }));
    expectStatus(answer, [200, 400]);
    // A code that a newer one replaced is refused, and so is one that did its work unanswered.
    if (answer.status === 400 && !(answer.doubtful && (await canSignIn(ask, self, self.password)))) continue;
    self.usedCodes.push({ page: "confirm", code });
    return promise(self, { stage: "confirmed" });
  }
}

async function finish(ask: Ask, self: Promised, token: string, number: number): Promise<void> {
  const json = { username: `Member_${number}`, password: `chosen password of ${number}` };
  self.pendingName = json.username;
  self.pendingPassword = json.password;
  const answer = await insist(() => ask({ line: "POST /api/home/registerfinish", json, token }));
  expectStatus(answer, answer.doubtful ? [200, 409] : [200]);
  self.formerPasswords.push(self.password);
  promise(self, { stage: "finished", name: json.username, password: json.password });
  self.operations += 1;
}

async function rename(ask: Ask, self: Promised, token: string, username: string): Promise<void> {
  self.pendingName = username;
  const json = { username, password: self.password };
  expectStatus(await insist(() => ask({ line: "PATCH /api/home/edit/username", json, token })), [200]);
  self.formerNames.push(self.name);
  promise(self, { name: username });
  self.operations += 1;
}

async function reset(
  ask: Ask,
  self: Promised,
  nextCode: () => Promise<string>,
  password: string,
): Promise<void> {
  const request = { line: "POST /api/auth/forgetpass", json: { mail: self.mail } };
  expectStatus(await insist(() => post(self.posted.reset, () => ask(request))), [200]);
  self.pendingPassword = password;
  for (;;) {
    const code = await nextCode();
    const update = { line: "POST /api/auth/forgetpass/update", json: { code, password } };
    const answer = await insist(() => post(self.posted["password-changed"], () => ask(update)));
    expectStatus(answer, [200, 400]);
    if (answer.status === 400 && !(answer.doubtful && (await canSignIn(ask, self, password)))) continue;
    self.usedCodes.push({ page: "resetpassword", code });
    self.formerPasswords.push(self.password);
    promise(self, { password });
    self.operations += 1;
    return;
  }
}

async function signIn(ask: Ask, { mail, password }: Promised): Promise<string> {
  const json = { username: mail, password };
  const answer = await insist(() => ask({ line: "POST /api/auth/login", json }));
  expectStatus(answer, [200]);
  return String(answer.data["jwt"]);
}

async function canSignIn(ask: Ask, { mail }: Promised, password: string): Promise<boolean> {
  const json = { username: mail, password };
  return (await insist(() => ask({ line: "POST /api/auth/login", json }))).status === 200;
}

/** What was pending holds now. */
function promise(self: Promised, now: Partial<Pick<Promised, "stage" | "name" | "password">>): void {
  Object.assign(self, now, { pendingName: null, pendingPassword: null, changed: true });
}

/** Asks until there is an answer. */
async function insist(ask: () => Promise<Answer | null>): Promise<Insisted> {
  for (let doubtful = false; ; doubtful = true) {
    const answer = await ask();
    if (answer !== null) return { ...answer, doubtful };
  }
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

function expectStatus({ status, msg }: Answer, allowed: readonly number[]): void {
  if (!allowed.includes(status))
    throw new Error(`Answered with ${status} (${msg}), not ${allowed.join(" or ")}`);
}
