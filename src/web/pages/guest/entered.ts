import { readStored, store } from "../../stored.ts";

/**
 * What was entered in this tab, so the next page need not ask again. It is kept in memory and gone with the
 * tab. The address of a registration also survives a page load, because the mail's link causes one; a
 * password does not.
 */
export type Entered = { readonly mail: string; readonly password: string };

let kept: Entered | null = null;

/** Where this tab keeps the address that it registers. */
const place = "registering";

/** Remembers the address that is registered. */
export function keepRegistration(mail: string): void {
  kept = null;
  store(place, mail, "sessionStorage");
}

/** Remembers the address whose password is reset, or the sign-in to an account that has no name yet. */
export function keepEntered(entered: Entered): void {
  kept = entered;
}

/** What was entered last. The password is empty where it was not entered. */
export function readEntered(): Entered {
  return kept ?? { mail: readRegistration() ?? "", password: "" };
}

/** The address that this tab registers; null without one. */
export function readRegistration(): string | null {
  return readStored(place, "sessionStorage");
}

export function forgetEntered(): void {
  kept = null;
  store(place, null, "sessionStorage");
}
