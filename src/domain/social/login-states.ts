import { refusals } from "../model/refusals.ts";
import { isSameSecret } from "../../kernel/constant-time.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { AppError, FailureOptions } from "../../kernel/errors.ts";
import type { OnceStore } from "../ports/once-store.ts";
import type { LoginSecrets } from "./provider.ts";

/** Hashes a text under a key that only this installation has, to 43 characters of base64url. */
export type KeyedHash = (text: string) => string;

/** Logins that browsers have begun at a provider. */
export type LoginStates = {
  /**
   * Begins a login. `browser` is a secret of that browser alone, which it keeps in a cookie. `note` comes
   * back unchanged with the login, and the provider can read it; null: no note.
   */
  readonly begin: (provider: string, browser: string, note: string | null) => LoginSecrets;
  /**
   * Returns what a login was begun with, once. Fails with invalid for a state that is not ours, belongs to
   * another browser, was used or is older than ten minutes.
   */
  readonly redeem: (
    state: string,
    browser: string | null,
  ) => Promise<{ readonly provider: string; readonly login: LoginSecrets; readonly note: string | null }>;
};

/**
 * The note that a state seems to have, which anybody may have written: `redeem` alone shows whether the state
 * is ours.
 */
export function claimedNote(state: string): string | null {
  const [, , , noted, seal] = state.split(".");
  return noted === undefined || seal === undefined ? null : readNote(noted);
}

function readNote(noted: string): string {
  return Buffer.from(noted, "base64url").toString();
}

/** Time to find one's password and the phone with the second factor. */
const stateSeconds = 10 * 60;

/** A new secret for a browser: 256 bits. */
export function newBrowserSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}

type Deps = { readonly hash: KeyedHash; readonly clock: Clock; readonly once: OnceStore };

/**
 * States carry their own content under a keyed hash over it and the browser's secret. So nothing is stored
 * for a login that is begun and not continued, and logins survive a restart. A state that `once` has
 * forgotten opens nothing: its code works once at the provider.
 */
export function createLoginStates({ hash, clock, once }: Deps): LoginStates {
  const seal = (content: string, browser: string) => hash(`state ${browser} ${content}`);
  const secretsOf = (content: string, browser: string): LoginSecrets => ({
    state: `${content}.${seal(content, browser)}`,
    verifier: hash(`verifier ${browser} ${content}`),
  });

  return {
    begin: (provider, browser, note) => {
      const expiresAt = clock.nowSeconds() + stateSeconds;
      const noted = note === null ? [] : [Buffer.from(note).toString("base64url")];
      return secretsOf([provider, expiresAt, newBrowserSecret(), ...noted].join("."), browser);
    },
    redeem: async (state, browser) => {
      const content = state.slice(0, Math.max(0, state.lastIndexOf(".")));
      const [provider = "", expiresAt = "", , noted] = content.split(".");
      const login = secretsOf(content, browser ?? "");
      if (browser === null || !isSameSecret(login.state, state))
        throw refused(refusals.foreignState, "is not what this browser began with");
      if (Number(expiresAt) <= clock.nowSeconds()) throw refused(refusals.oldState, "is too old");
      if (!(await once.use(`login ${state}`, Number(expiresAt))))
        throw refused(refusals.usedState, "was used already");
      return { provider, login, note: noted === undefined ? null : readNote(noted) };
    },
  };
}

function refused(refusal: (options: FailureOptions) => AppError, reason: string): AppError {
  return refusal({ report: { reason: `the state ${reason}` } });
}
