import type { Clock } from "../../kernel/clock.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { mailKey } from "../model/mail-address.ts";
import type { Attempt, AttemptStore, DelayRule, WindowRule } from "../ports/attempt-store.ts";
import {
  addressLimit,
  refuseWait,
  siteShare,
  takeAttempts,
  type AddressLimit,
  type Arrival,
  type Client,
} from "./address-limit.ts";
import { createAttemptMemory, uncountedAttempts } from "./attempt-memory.ts";
import { hashedKey } from "./counters.ts";
import { bodiesAtOnce, type BeginBody } from "./in-flight.ts";
import { signInLimits, type SignInLimits } from "./sign-in-limits.ts";
import { createTurns, type InTurn } from "./turns.ts";

/** The limits when RATE_LIMIT_FACTOR is 1, each with the reason for its numbers. */
const rules = {
  /** After typing errors a person waits one minute; an attacker gets 480 tries a day from an address. */
  signInByAccount: { times: 5, seconds: 60, secondsMax: 900 },
  /** A household or a class behind one address can sign in at once; a list of stolen passwords takes far too long. */
  signInByAddress: { times: 20, seconds: 60 },
  /** Each costs a slow hash and a mail. A class can register in one lesson. */
  registerByAddress: { times: 20, seconds: 600 },
  /** More than the mails that one address gets within the time, so that only programs reach it. */
  registerByMail: { times: 10, seconds: 600 },
  /** A code is one of 2^50 and lives half an hour: with a thousand open codes a hit takes 100,000 years. */
  codeByAddress: { times: 20, seconds: 60 },
  /** Guesses no secret, but each costs a slow hash. */
  finishByAddress: { times: 20, seconds: 60 },
  /**
   * One sign-in takes three: to the provider, back, and linking. Each may cost requests to the provider, which limits the whole
   * installation. A class can sign in at once.
   */
  socialByAddress: { times: 60, seconds: 60 },
  /** As for registrations, without the mail. */
  socialCreationByAddress: { times: 20, seconds: 600 },
  /** As for registrations, which cost more. */
  forgetpassByAddress: { times: 20, seconds: 600 },
  forgetpassByMail: { times: 10, seconds: 600 },
  /**
   * Only a broken program sends five a second for a minute; typing errors, even of a whole school, are rarer. The worst body of a
   * member takes a fifth of a hash, so an address gets a second and a half of processor time in a minute.
   */
  brokenByAddress: { times: 300, seconds: 60 },
  /** Fills a wardrobe of 50 within two minutes. At 200 ms for the largest skin it takes a tenth of a core. */
  uploadByAccount: { times: 30, seconds: 60 },
} as const satisfies Readonly<Record<string, WindowRule | DelayRule>>;

/** A few keep the cores at work; the others of a class, or of a proxy's players, wait some seconds at most. */
const turnsAtOnceMax = 4;
const turnsWaitingMax = 200;

type ByMail = Client & { readonly mail: string };

/** A limit by address, and a narrower one by the content of the request. */
type RequestLimit<Said extends Client> = {
  /** Counts for the address before the body is read: refused bodies are not read, and malformed ones count. */
  readonly arrive: (client: Client) => Arrival;
  /** Counts for the body's content, and for the address on all nodes. A refusal here is free for the address, because it costs nothing. */
  readonly take: (attempt: Said, arrival: Arrival) => Promise<void>;
};

/**
 * Limits on attempts without a session. Every `take` and `arrive` counts the attempt before its outcome is known, so that
 * parallel attempts cannot bypass the limit; when there were too many, it fails with limited and counts nothing. `address` is
 * the client's; IPv6 counts by /64, with four times the allowance for a /48.
 */
export type RateLimits = {
  /** Passwords. */
  readonly signIn: SignInLimits;
  /** Passwords that launchers send: few of an address at once, so that those under way do not fill its allowance. */
  readonly inTurn: InTurn;
  readonly register: RequestLimit<ByMail>;
  readonly forgetpass: RequestLimit<ByMail>;
  /** Attempts to finish a registration. */
  readonly finish: AddressLimit;
  /** Requests to go to a social provider, to come back from one, and to link a person. */
  readonly social: AddressLimit;
  /** Accounts made from social profiles. */
  readonly socialCreation: AddressLimit;
  /** Entered codes of every kind. */
  readonly code: AddressLimit;
  /** Requests of every kind whose body was refused. */
  readonly broken: AddressLimit;
  /** Skin uploads of one account. */
  readonly upload: { readonly take: (attempt: { readonly account: AccountId }) => Promise<void> };
  /** Bodies under way at once. */
  readonly beginBody: BeginBody;
};

/** Counts attempts for one process, in its memory. */
export function attemptsOfProcess(clock: Clock): AttemptStore {
  // With a clock that can be set back, blocks would last until it has caught up.
  return createAttemptMemory(() => Math.floor(clock.steadySeconds()));
}

/**
 * Makes the limits, which count in the store. `factor` multiplies each allowance (at least one attempt remains); 0 removes the
 * limits. Work under way is bounded on each node, because it is that node's memory and processor.
 */
export function createRateLimits(options: {
  readonly factor: number;
  readonly attempts: AttemptStore;
}): RateLimits {
  const { factor } = options;
  const store = factor === 0 ? uncountedAttempts : options.attempts;
  const scaled = <Rule extends WindowRule>(rule: Rule): Rule => ({
    ...rule,
    times: Math.max(1, Math.floor(rule.times * factor)),
  });
  const byAddress = (limit: keyof typeof rules, what: string) => {
    const { times, seconds } = rules[limit];
    const ofSite = { times: times * siteShare, seconds };
    return addressLimit(store, { limit, what, rules: [scaled({ times, seconds }), scaled(ofSite)] });
  };

  const signIns = "attempts to sign in";
  const mailsOf = (limit: "registerByMail" | "forgetpassByMail") => {
    const rule = scaled(rules[limit]);
    return (attempt: ByMail): Attempt => ({ limit, key: mailKeyOf(attempt), rule });
  };
  const registrations = "registrations";
  const limitOf = <Said extends Client>(
    what: string,
    address: AddressLimit,
    attemptOf: (attempt: Said) => Attempt,
  ) => ({ arrive: address.arrive, take: takeArrived(store, what, attemptOf) });
  return {
    signIn: signInLimits(store, byAddress("signInByAddress", signIns), scaled(rules.signInByAccount)),
    inTurn: createTurns({
      atOnceMax: Math.min(turnsAtOnceMax, scaled(rules.signInByAddress).times),
      waitingMax: turnsWaitingMax,
      refusal: `Too many ${signIns} at once; try again in a few seconds`,
    }),
    register: limitOf(
      registrations,
      byAddress("registerByAddress", registrations),
      mailsOf("registerByMail"),
    ),
    forgetpass: limitOf("resets", byAddress("forgetpassByAddress", "resets"), mailsOf("forgetpassByMail")),
    finish: byAddress("finishByAddress", "attempts to finish"),
    social: byAddress("socialByAddress", "social sign-ins"),
    socialCreation: byAddress("socialCreationByAddress", registrations),
    code: byAddress("codeByAddress", "codes"),
    broken: byAddress("brokenByAddress", "requests that were refused"),
    upload: uploadLimit(store, scaled(rules.uploadByAccount)),
    beginBody: bodiesAtOnce(factor),
  };
}

function uploadLimit(store: AttemptStore, rule: WindowRule): RateLimits["upload"] {
  return {
    take: async ({ account }) => {
      const attempt = { limit: "uploadByAccount", key: String(account), rule };
      refuseWait("uploads", await takeAttempts(store, [attempt]));
    },
  };
}

function takeArrived<Said extends Client>(
  store: AttemptStore,
  what: string,
  attemptOf: (attempt: Said) => Attempt,
): RequestLimit<Said>["take"] {
  return async (said, arrival) => {
    const attempt = attemptOf(said);
    const arrived = arrival.give();
    const wait = store.begin([attempt]);
    if (wait > 0) store.drop(arrived);
    refuseWait(what, wait > 0 ? wait : await store.confirm([...arrived, attempt]));
  };
}

function mailKeyOf({ mail }: ByMail): string {
  return hashedKey(mailKey(identifierOf(mail)));
}

/** No identifier is longer, so the rest of a longer text makes no difference. */
function identifierOf(text: string): string {
  return text.slice(0, limits.identifierLengthMax + 1);
}
