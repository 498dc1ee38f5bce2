import type { AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { nameKey } from "../model/username.ts";
import type { Attempt, AttemptStore, DelayRule } from "../ports/attempt-store.ts";
import {
  clientNetworks,
  refuseWait,
  takeAttempts,
  type AddressLimit,
  type Arrival,
  type Client,
} from "./address-limit.ts";
import { hashedKey } from "./counters.ts";

/**
 * A password that a client tries: on what it calls the account, or on the account that it has a session of.
 */
export type PasswordTry = Client & { readonly account: string | AccountId };

/** What is taken back of a try. `address`: also what it counted for the address. */
export type TakenBack = { readonly account: AccountId | null; readonly address: boolean };

/**
 * How often a client may try passwords. What a client calls an account counts for itself, in sight: too many
 * tries fail with limited. The account behind it counts as well, out of sight: a refusal that depends on it
 * would show that two names, or a name and a mail address, are one account's.
 */
export type SignInLimits = {
  /** Counts for the address before the body is read, on this node. Fails with limited. */
  readonly takeHere: (client: Client) => Arrival;
  /** Counts for the address and for the client's name of the account. Fails with limited. */
  readonly take: (given: PasswordTry, arrival: Arrival) => Promise<void>;
  /**
   * Counts for the account itself; null: no account has the name. False when the network tried the account
   * too often under whichever names: no password may fit then, and the answer is that of a wrong one.
   */
  readonly mayFit: (given: PasswordTry, account: AccountId | null) => Promise<boolean>;
  /**
   * Forgets the network's tries after a right password. `address`: it counts for nothing at the address
   * either.
   */
  readonly reset: (given: PasswordTry, forgotten: TakenBack) => Promise<void>;
  /** Takes a try back whose password was not compared. */
  readonly refund: (given: PasswordTry, taken: TakenBack) => Promise<void>;
};

const what = "attempts to sign in";

/**
 * The account counts a moment after what the client calls it. Its wait ends this much sooner, so that a right
 * password which comes when the wait in sight has ended is not taken for a wrong one.
 */
const soonerSeconds = 5;

/** Makes the limits of sign-ins. `rule`: for an account and a network together. */
export function signInLimits(store: AttemptStore, ofAddress: AddressLimit, rule: DelayRule): SignInLimits {
  const sooner = {
    ...rule,
    seconds: Math.max(1, rule.seconds - soonerSeconds),
    secondsMax: Math.max(1, rule.secondsMax - soonerSeconds),
  };
  const ofAccount = (client: Client, account: string): Attempt => {
    const key = keyOf(client, account);
    return { limit: "signInByAccount", key, rule: sooner };
  };
  const inSight = (given: PasswordTry): readonly Attempt[] => {
    const { account } = given;
    const isOwn = typeof account === "number";
    const key = keyOf(given, isOwn ? idKey(account) : `login:${loginKey(account)}`);
    const login = { limit: "signInByLogin", key, rule };
    return isOwn ? [login, ofAccount(given, idKey(account))] : [login];
  };
  const ofAll = (given: PasswordTry, { account, address }: TakenBack): readonly Attempt[] => [
    ...(address ? ofAddress.attemptsOf(given) : []),
    ...inSight(given),
    ...(account === null || typeof given.account === "number" ? [] : [ofAccount(given, idKey(account))]),
  ];

  return {
    takeHere: ofAddress.takeHere,
    take: async (given, arrival) => {
      const own = inSight(given);
      const arrived = arrival.handOver();
      const wait = store.takeHere(own);
      if (wait > 0) store.refundHere(arrived);
      refuseWait(what, wait > 0 ? wait : await store.takeForAll([...arrived, ...own]));
    },
    mayFit: async (given, account) => {
      if (typeof given.account === "number") return true;
      // A name of no account counts as well, so that it costs the same.
      const key = account === null ? `name:${loginKey(given.account)}` : idKey(account);
      return (await takeAttempts(store, [ofAccount(given, key)])) === 0;
    },
    reset: (given, forgotten) => store.reset(ofAll(given, forgotten)),
    refund: (given, taken) => store.refund(ofAll(given, taken)),
  };
}

function keyOf(client: Client, account: string): string {
  const [network] = clientNetworks(client);
  return hashedKey(`${network} ${account}`);
}

const idKey = (account: AccountId) => `id:${account}`;

/** No identifier is longer, so the rest of a longer text makes no difference. */
function loginKey(login: string): string {
  return nameKey(login.slice(0, limits.identifierLengthMax + 1));
}
