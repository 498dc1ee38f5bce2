import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { formatIpAddress, isMappedIpv4, networkOf, parseIpAddress } from "../../kernel/ip-address.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { mailKey } from "../accounts/mail-address.ts";
import { nameKey } from "../accounts/username.ts";
import { uncounted, type AttemptCounter } from "./counter.ts";
import { growingDelay, type DelayRule } from "./growing-delay.ts";
import { slidingWindow, type WindowRule } from "./sliding-window.ts";

/** What is allowed when RATE_LIMIT_FACTOR is 1, each with the reason for its numbers. */
const rules = {
  /** Who mistypes is free again after a minute; a guesser gets 480 tries a day from an address. */
  signInByPair: { times: 5, seconds: 60, secondsMax: 900 },
  /** A household or a class behind one address signs in at once; a list of stolen passwords takes ages. */
  signInByAddress: { times: 20, seconds: 60 },
  /** Each costs us a slow hash and a mail. A class registers in a lesson, a robot is bored. */
  registerByAddress: { times: 20, seconds: 600 },
  /** More than the mails that one address gets within the time, so that only a robot meets it. */
  registerByMail: { times: 10, seconds: 600 },
  /** One of 2^50 codes, half an hour long: with a thousand codes out, a hit takes 100,000 years. */
  codeByAddress: { times: 20, seconds: 60 },
  /** No secret is tried, but each costs us a slow hash. */
  finishByAddress: { times: 20, seconds: 60 },
  /** There, back and linking are three. Each may cost requests to the provider, who limits us as a whole; a class signs in at once. */
  socialByAddress: { times: 60, seconds: 60 },
  /** As registering, without the mail. */
  socialCreationByAddress: { times: 20, seconds: 600 },
  /** As registering, which costs us more. */
  forgetpassByAddress: { times: 20, seconds: 600 },
  forgetpassByMail: { times: 10, seconds: 600 },
  /** Fills a wardrobe of 50 within two minutes. At 200 ms for the finest skin it is a tenth of a core. */
  uploadByAccount: { times: 30, seconds: 60 },
} as const satisfies Readonly<Record<string, WindowRule | DelayRule>>;

type ByAddress = { readonly address: string };
type ByAccount = ByAddress & { readonly account: string };
type ByMail = ByAddress & { readonly mail: string };

/**
 * How often strangers may try. Every `take` counts the attempt before its outcome is known, so that many at once are no way
 * around, and fails with limited, counting nothing, when there were too many. `address` is the client's, and IPv6 is counted
 * by /64, which is what one customer gets.
 */
export type RateLimits = {
  /** Passwords. `account` is what the client calls the account: two names of one account are not told to be the same. */
  readonly signIn: {
    readonly take: (attempt: ByAccount) => void;
    /** The password was right: the pair's attempts are forgotten. */
    readonly succeeded: (attempt: ByAccount) => void;
  };
  readonly register: { readonly take: (attempt: ByMail) => void };
  /** Registrations that are finished. */
  readonly finish: { readonly take: (attempt: ByAddress) => void };
  /** Going to a social provider, coming back from one, and linking who came. */
  readonly social: { readonly take: (attempt: ByAddress) => void };
  /** Accounts made from social ones. */
  readonly socialCreation: { readonly take: (attempt: ByAddress) => void };
  /** Codes typed in, whatever for. */
  readonly code: { readonly take: (attempt: ByAddress) => void };
  readonly forgetpass: { readonly take: (attempt: ByMail) => void };
  /** Skins that an account uploads. */
  readonly upload: { readonly take: (attempt: { readonly account: AccountId }) => void };
};

/**
 * Limits whose counters live in this process, in bounded memory. `factor` multiplies the attempts that are allowed (at least
 * one is); 0 lets everything pass.
 */
export function createRateLimits(options: { readonly factor: number; readonly clock: Clock }): RateLimits {
  const { factor } = options;
  // A clock that can be set back would let blocks last until it has caught up.
  const now = () => Math.floor(options.clock.steadySeconds());
  const counter = (rule: WindowRule | DelayRule): AttemptCounter => {
    if (factor === 0) return uncounted;
    const scaled = { ...rule, times: Math.max(1, Math.floor(rule.times * factor)) };
    return "secondsMax" in scaled ? growingDelay(scaled, now) : slidingWindow(scaled, now);
  };
  const signIn = { pair: counter(rules.signInByPair), address: counter(rules.signInByAddress) };
  const register = { address: counter(rules.registerByAddress), mail: counter(rules.registerByMail) };
  const forgetpass = { address: counter(rules.forgetpassByAddress), mail: counter(rules.forgetpassByMail) };
  const code = counter(rules.codeByAddress);
  const finish = counter(rules.finishByAddress);
  const social = counter(rules.socialByAddress);
  const socialCreation = counter(rules.socialCreationByAddress);
  const upload = counter(rules.uploadByAccount);

  return {
    signIn: {
      take: (attempt) => {
        take("attempts to sign in", [signIn.address, addressKey(attempt)], [signIn.pair, pairKey(attempt)]);
      },
      succeeded: (attempt) => signIn.pair.forget(pairKey(attempt)),
    },
    register: {
      take: (attempt) => {
        take("registrations", [register.address, addressKey(attempt)], [register.mail, mailKeyOf(attempt)]);
      },
    },
    finish: { take: (attempt) => take("attempts to finish", [finish, addressKey(attempt)]) },
    social: { take: (attempt) => take("social sign-ins", [social, addressKey(attempt)]) },
    socialCreation: { take: (attempt) => take("registrations", [socialCreation, addressKey(attempt)]) },
    code: { take: (attempt) => take("codes", [code, addressKey(attempt)]) },
    upload: { take: ({ account }) => take("uploads", [upload, String(account)]) },
    forgetpass: {
      take: (attempt) => {
        take("resets", [forgetpass.address, addressKey(attempt)], [forgetpass.mail, mailKeyOf(attempt)]);
      },
    },
  };
}

/** All of the counters, or none: what one of them refuses is no attempt for the others. */
function take(what: string, ...uses: readonly (readonly [AttemptCounter, string])[]): void {
  const wait = Math.max(...uses.map(([counter, key]) => counter.waitSeconds(key)));
  if (wait > 0) {
    const message = `Too many ${what}; try again in ${wait === 1 ? "a second" : `${wait} seconds`}`;
    throw new AppError("limited", message, { retryAfterSeconds: wait });
  }
  for (const [counter, key] of uses) counter.count(key);
}

/** The key under which a client is counted: an IPv4 address, the /64 of an IPv6 one. */
export function addressKey({ address }: ByAddress): string {
  const parsed = parseIpAddress(address);
  if (parsed === null) return shortKey(address);
  return formatIpAddress(isMappedIpv4(parsed) ? parsed : networkOf(parsed, 64));
}

function pairKey(attempt: ByAccount): string {
  return shortKey(`${addressKey(attempt)} ${nameKey(identifierOf(attempt.account))}`);
}

function mailKeyOf({ mail }: ByMail): string {
  return shortKey(mailKey(identifierOf(mail)));
}

/** What is longer than every identifier is nobody's, so what follows tells nothing apart. */
function identifierOf(text: string): string {
  return text.slice(0, limits.identifierLengthMax + 1);
}

/** Of one length whatever clients send, and no list of mail addresses for who reads our memory. */
function shortKey(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("base64");
}
