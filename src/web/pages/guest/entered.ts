import { readStored, store } from "../../stored.ts";

/**
 * What was entered in this tab on the way through registration or reset, so that the next page needs not ask for it again. It is kept
 * in memory, and gone with the tab. The address of a registration also outlives the load of another page, as the mail's link is one;
 * its password does not.
 */
export type Entered = { readonly mail: string; readonly password: string };

let kept: Entered | null = null;

/** Where this tab keeps the address that it registers. */
const place = "registering";

/** Remembers a registration. */
export function keepRegistration(entered: Entered): void {
  kept = entered;
  store(place, entered.mail, "sessionStorage");
}

/** Remembers the address whose password is reset. */
export function keepMail(mail: string): void {
  kept = { mail, password: "" };
}

/** The password is empty where it was not entered, or another page was loaded meanwhile. */
export function readEntered(): Entered | null {
  return kept ?? readRegistration();
}

/** The registration that this tab began; null without one. */
export function readRegistration(): Entered | null {
  const mail = readStored(place, "sessionStorage");
  if (kept !== null && kept.password !== "") return kept;
  return mail === null ? null : { mail, password: "" };
}

export function forgetEntered(): void {
  kept = null;
  store(place, null, "sessionStorage");
}
