import type { Clock } from "../../kernel/clock.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { mailKey } from "../model/mail-address.ts";
import { nameKey } from "../model/username.ts";
import {
  addressLimit,
  clientNetworks,
  refuseTooMany,
  siteShare,
  type AddressLimit,
  type Client,
} from "./address-limit.ts";
import { bodiesAtOnce, type BeginBody } from "./bodies-at-once.ts";
import {
  shortKey,
  uncounted,
  type AttemptCounter,
  type StreakCounter,
  type WindowCounter,
} from "./counter.ts";
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
  /**
   * Five a second for a minute are a broken program. People mistype a name now and then, and so does a whole school. The worst
   * body of a member takes a fifth of a hash, so that an address gets a second and a half of the processor in a minute.
   */
  brokenByAddress: { times: 300, seconds: 60 },
  /** Fills a wardrobe of 50 within two minutes. At 200 ms for the finest skin it is a tenth of a core. */
  uploadByAccount: { times: 30, seconds: 60 },
} as const satisfies Readonly<Record<string, WindowRule | DelayRule>>;

type ByAccount = Client & { readonly account: string };
type ByMail = Client & { readonly mail: string };

/** A limit of an address, and a narrower one of what its request says. */
type RequestLimit<Said extends Client> = {
  /** Counts for the address, before the request's body is read: what is refused is not read, and what is broken counts. */
  readonly arrive: (client: Client) => void;
  /** Counts for what the body says. What is refused here is taken back from the address: it costs us nothing. */
  readonly take: (attempt: Said) => void;
};

/**
 * How often strangers may try. Every `take` and `arrive` counts the attempt before its outcome is known, so that many at once
 * are no way around, and fails with limited, counting nothing, when there were too many. `address` is the client's; IPv6 is
 * counted by /64, and four times as much is allowed to a /48.
 */
export type RateLimits = {
  /** Passwords. `account` is what the client calls the account: two names of one account are not told to be the same. */
  readonly signIn: RequestLimit<ByAccount> & {
    /** The password was right: the pair's attempts are forgotten. */
    readonly succeeded: (attempt: ByAccount) => void;
  };
  readonly register: RequestLimit<ByMail>;
  readonly forgetpass: RequestLimit<ByMail>;
  /** Registrations that are finished. */
  readonly finish: AddressLimit;
  /** Going to a social provider, coming back from one, and linking who came. */
  readonly social: AddressLimit;
  /** Accounts made from social ones. */
  readonly socialCreation: AddressLimit;
  /** Codes typed in, whatever for. */
  readonly code: AddressLimit;
  /** Requests whose body was refused, whatever they were for. */
  readonly broken: AddressLimit;
  /** Skins that an account uploads. */
  readonly upload: { readonly take: (attempt: { readonly account: AccountId }) => void };
  /** Bodies that are on their way at once. */
  readonly beginBody: BeginBody;
};

/**
 * Limits whose counters live in this process, in bounded memory. `factor` multiplies what is allowed (at least one is); 0 lets
 * everything pass.
 */
export function createRateLimits(options: { readonly factor: number; readonly clock: Clock }): RateLimits {
  const { factor } = options;
  // A clock that can be set back would let blocks last until it has caught up.
  const now = () => Math.floor(options.clock.steadySeconds());
  const scaled = (times: number) => Math.max(1, Math.floor(times * factor));
  const window = ({ times, seconds }: WindowRule): WindowCounter =>
    factor === 0 ? uncounted : slidingWindow({ times: scaled(times), seconds }, now);
  const streak = (rule: DelayRule): StreakCounter =>
    factor === 0 ? uncounted : growingDelay({ ...rule, times: scaled(rule.times) }, now);
  const byAddress = (what: string, { times, seconds }: WindowRule) =>
    addressLimit(what, [window({ times, seconds }), window({ times: times * siteShare, seconds })]);

  const signIns = "attempts to sign in";
  const pairs = streak(rules.signInByPair);
  const pairOf = (attempt: ByAccount) => ({ counter: pairs, key: pairKey(attempt) });
  const mails = (rule: WindowRule) => {
    const counter = window(rule);
    return (attempt: ByMail) => ({ counter, key: mailKeyOf(attempt) });
  };
  const uploads = window(rules.uploadByAccount);
  const registrations = "registrations";
  return {
    signIn: {
      ...requestLimit(signIns, byAddress(signIns, rules.signInByAddress), pairOf),
      succeeded: (attempt) => pairs.forget(pairKey(attempt)),
    },
    register: requestLimit(
      registrations,
      byAddress(registrations, rules.registerByAddress),
      mails(rules.registerByMail),
    ),
    forgetpass: requestLimit(
      "resets",
      byAddress("resets", rules.forgetpassByAddress),
      mails(rules.forgetpassByMail),
    ),
    finish: byAddress("attempts to finish", rules.finishByAddress),
    social: byAddress("social sign-ins", rules.socialByAddress),
    socialCreation: byAddress(registrations, rules.socialCreationByAddress),
    code: byAddress("codes", rules.codeByAddress),
    broken: byAddress("requests that were refused", rules.brokenByAddress),
    upload: {
      take: ({ account }) => {
        const key = String(account);
        refuseTooMany("uploads", [{ counter: uploads, key }]);
        uploads.count(key);
      },
    },
    beginBody: bodiesAtOnce(factor),
  };
}

function requestLimit<Said extends Client>(
  what: string,
  address: AddressLimit,
  useOf: (attempt: Said) => { readonly counter: AttemptCounter; readonly key: string },
): RequestLimit<Said> {
  return {
    arrive: address.take,
    take: (attempt) => {
      const { counter, key } = useOf(attempt);
      if (counter.waitSeconds(key) > 0) address.takeBack(attempt);
      refuseTooMany(what, [{ counter, key }]);
      counter.count(key);
    },
  };
}

function pairKey(attempt: ByAccount): string {
  const [network] = clientNetworks(attempt);
  return shortKey(`${network} ${nameKey(identifierOf(attempt.account))}`);
}

function mailKeyOf({ mail }: ByMail): string {
  return shortKey(mailKey(identifierOf(mail)));
}

/** What is longer than every identifier is nobody's, so what follows tells nothing apart. */
function identifierOf(text: string): string {
  return text.slice(0, limits.identifierLengthMax + 1);
}
