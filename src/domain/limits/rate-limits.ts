import { refusals } from "../model/refusals.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { AccountId } from "../../kernel/ids.ts";
import type { Attempt, AttemptStore, DelayRule, WindowRule } from "../ports/attempt-store.ts";
import { addressLimit, refuseWait, siteShare, takeAttempts, type AddressLimit } from "./address-limit.ts";
import { createAttemptMemory, uncountedAttempts } from "./attempt-memory.ts";
import { bodiesAtOnce, type BeginBody } from "./in-flight.ts";
import { signInLimits, type SignInLimits } from "./sign-in-limits.ts";
import { createTurns, type InTurn } from "./turns.ts";

/** The limits when RATE_LIMIT_FACTOR is 1, each with the reason for its numbers. */
const rules = {
  /** After typing errors a person waits one minute; an attacker gets 480 tries a day from an address. */
  signInByAccount: { times: 5, seconds: 60, secondsMax: 900 },
  /**
   * A household or a class behind one address can sign in at once; a list of stolen passwords takes far too
   * long.
   */
  signInByAddress: { times: 20, seconds: 60 },
  /**
   * Each costs two slow hashes and perhaps a mail. A class can register in one lesson. Nothing counts for the
   * mail address before a mail is posted to it (`sendRefusal`): strangers would use up its owner's tries.
   */
  registerByAddress: { times: 20, seconds: 600 },
  /** A code is one of 2^50 and lives half an hour: with a thousand open codes a hit takes 100,000 years. */
  codeByAddress: { times: 20, seconds: 60 },
  /** Guesses no secret, but each costs a slow hash. */
  finishByAddress: { times: 20, seconds: 60 },
  /**
   * One sign-in takes three: to the provider, back, and linking. Each may cost requests to the provider,
   * which limits the whole installation. A class can sign in at once.
   */
  socialByAddress: { times: 60, seconds: 60 },
  /** As for registrations, without the mail. */
  socialCreationByAddress: { times: 20, seconds: 600 },
  /** As for registrations, which cost more. */
  forgetpassByAddress: { times: 20, seconds: 600 },
  /**
   * Only a broken program sends five a second for a minute; typing errors, even of a whole school, are rarer.
   * The worst body of a member takes a fifth of a hash, so an address gets a second and a half of processor
   * time in a minute.
   */
  brokenByAddress: { times: 300, seconds: 60 },
  /** Fills a wardrobe of 50 within two minutes. At 200 ms for the largest skin it takes a tenth of a core. */
  uploadByAccount: { times: 30, seconds: 60 },
  /**
   * Each is an event, which every follower gets. A person who tries on skins looks at each for two seconds or
   * more.
   */
  lookByAccount: { times: 30, seconds: 60 },
  /**
   * A whole wardrobe tried on ten times. The log of events holds what 200 accounts that do nothing else
   * change in a day.
   */
  dayOfLooksByAccount: { times: 500, seconds: 24 * 60 * 60 },
  /** The addresses are strangers' for all we know. A member needs fewer in a day, typing errors included. */
  mailChangeByAccount: { times: 5, seconds: 86_400 },
  /** Each reads everything of the account, which changes little in a day. */
  ownExportByAccount: { times: 3, seconds: 86_400 },
} as const satisfies Readonly<Record<string, WindowRule | DelayRule>>;

/**
 * A few keep the cores at work; the others of a class, or of a proxy's players, wait some seconds at most.
 */
const turnsAtOnceMax = 4;
const turnsWaitingMax = 200;

type OfAccount = { readonly account: AccountId };

/** A limit on how often one account may do something. */
export type AccountLimit = {
  /** Counts one use on all nodes. Fails with limited, and counts nothing, when it was done too often. */
  readonly take: (use: OfAccount) => Promise<void>;
  /** Forgets one use, which came to nothing. */
  readonly refund: (use: OfAccount) => Promise<void>;
};

/** Uses that this node alone has counted yet. They are taken for all nodes or refunded, once. */
export type TakenHere = {
  /**
   * Counts them for all nodes. Never fails with limited: when all nodes have counted too many, the next use
   * here is refused.
   */
  readonly takeForAll: () => Promise<void>;
  /** Forgets them: they came to nothing. */
  readonly refund: () => void;
};

/** A limit on what an account may do, for uses that show themselves within a transaction. */
type HereFirst = {
  /**
   * Counts so many uses on this node, without waiting; as many as the limit allows stand for more. Fails with
   * limited, and counts nothing, when it was done too often, as far as this node knows.
   */
  readonly takeHere: (use: OfAccount & { readonly times: number }) => TakenHere;
};

/**
 * Limits on attempts without a session, and on what one account may do. Every `take` and `takeHere` counts
 * the attempt before its outcome is known, so that parallel attempts cannot bypass the limit; when there were
 * too many, it fails with limited and counts nothing. `address` is the client's; IPv6 counts by /64, with
 * four times the allowance for a /48.
 */
export type RateLimits = {
  /** Passwords. */
  readonly signIn: SignInLimits;
  /**
   * Passwords that launchers send: few of an address at once, so that those under way do not fill its
   * allowance.
   */
  readonly inTurn: InTurn;
  readonly register: AddressLimit;
  readonly forgetpass: AddressLimit;
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
  readonly upload: AccountLimit;
  /** Changes of what an account's players show. Each is an event. Null if RATE_LIMIT_FACTOR is 0. */
  readonly looks: HereFirst | null;
  /** Codes for new mail addresses of one account. */
  readonly mailChange: AccountLimit;
  /** Copies of everything that an account has. */
  readonly ownExport: AccountLimit;
  /** Bodies under way at once. */
  readonly beginBody: BeginBody;
};

/** Counts attempts for one process, in its memory. */
export function attemptsOfProcess(clock: Clock): AttemptStore {
  // With a clock that can be set back, blocks would last until it has caught up.
  return createAttemptMemory(() => Math.floor(clock.steadySeconds()));
}

/**
 * Makes the limits, which count in the store. `factor` multiplies each allowance (at least one attempt
 * remains); 0 removes the limits. Work under way is bounded on each node, because it is that node's memory
 * and processor.
 */
export function createRateLimits(options: {
  readonly factor: number;
  readonly attempts: AttemptStore;
}): RateLimits {
  const { factor } = options;
  const store = factor === 0 ? uncountedAttempts : options.attempts;
  const scaled = scaledBy(factor);
  const byAddress = (limit: keyof typeof rules, what: string) => {
    const { times, seconds } = rules[limit];
    const ofSite = { times: times * siteShare, seconds };
    return addressLimit(store, { limit, what, rules: [scaled({ times, seconds }), scaled(ofSite)] });
  };
  const signIns = "attempts to sign in";
  const registrations = "registrations";
  return {
    signIn: signInLimits(store, byAddress("signInByAddress", signIns), scaled(rules.signInByAccount)),
    inTurn: createTurns({
      atOnceMax: Math.min(turnsAtOnceMax, scaled(rules.signInByAddress).times),
      waitingMax: turnsWaitingMax,
      refusal: () => refusals.tooManyAtOnce(signIns),
    }),
    register: byAddress("registerByAddress", registrations),
    forgetpass: byAddress("forgetpassByAddress", "resets"),
    finish: byAddress("finishByAddress", "attempts to finish"),
    social: byAddress("socialByAddress", "social sign-ins"),
    socialCreation: byAddress("socialCreationByAddress", registrations),
    code: byAddress("codeByAddress", "codes"),
    broken: byAddress("brokenByAddress", "requests that were refused"),
    ...accountLimits(store, factor),
    beginBody: bodiesAtOnce(factor),
  };
}

/** A rule keeps at least one attempt. */
function scaledBy(factor: number) {
  return <Rule extends WindowRule>(rule: Rule): Rule => ({
    ...rule,
    times: Math.max(1, Math.floor(rule.times * factor)),
  });
}

function accountLimits(
  store: AttemptStore,
  factor: number,
): Pick<RateLimits, "upload" | "mailChange" | "ownExport" | "looks"> {
  const scaled = scaledBy(factor);
  // The narrowest last.
  const usesOf = (account: AccountId, ...names: readonly (keyof typeof rules)[]) =>
    names.map((limit) => ({ limit, key: String(account), rule: scaled(rules[limit]) }));
  const limited = (what: string, name: keyof typeof rules): AccountLimit => ({
    take: async ({ account }) => refuseWait(what, await takeAttempts(store, usesOf(account, name))),
    refund: ({ account }) => store.reset(usesOf(account, name)),
  });
  const looks: HereFirst = {
    takeHere: ({ account, times }) => {
      const uses = usesOf(account, "dayOfLooksByAccount", "lookByAccount").map((use) => ({
        ...use,
        isFinal: true,
      }));
      return takeUsesHere(store, uses, times);
    },
  };
  return {
    upload: limited("uploads", "uploadByAccount"),
    mailChange: limited("codes for new addresses within a day", "mailChangeByAccount"),
    ownExport: limited("exports of your data within a day", "ownExportByAccount"),
    looks: factor === 0 ? null : looks,
  };
}

function takeUsesHere(
  store: AttemptStore,
  uses: readonly (Attempt & { readonly rule: WindowRule })[],
  times: number,
): TakenHere {
  const most = Math.min(times, ...uses.map(({ rule }) => rule.times));
  let taken = 0;
  const refund = (): void => {
    for (; taken > 0; taken--) store.refundHere(uses);
  };
  for (; taken < most; taken++) {
    const wait = store.takeHere(uses);
    if (wait > 0) refund();
    refuseWait("changes of what your players show", wait);
  }
  return {
    refund,
    takeForAll: async () => {
      while (taken > 0) {
        taken -= 1;
        await store.takeForAll(uses);
      }
    },
  };
}
