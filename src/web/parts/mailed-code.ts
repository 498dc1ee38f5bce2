import { signal } from "@preact/signals";
import { readStored, store } from "../stored.ts";

/*
 * Codes that links bring, in mails and from operators: `/confirm#code=…`, which browsers send to no server,
 * and `?code=…` in mails of earlier releases. A code leaves the address at once, so that neither history nor
 * bookmarks have it. It is kept in this tab until it is used: through another load of the page, and through a
 * sign-in that the page asks for.
 */

/** The pages that such links lead to. */
const pages: ReadonlySet<string> = new Set(["/confirm", "/resetpassword", "/home/mail", "/claim"]);

/** Counts changes of what is kept. */
const changes = signal(0);
/** Of browsers that store nothing. */
const kept = new Map<string, string>();

const placeOf = (page: string) => `code ${page}`;

/** Takes codes from the address, now and whenever a link to the page that is shown is followed. */
export function takeMailedCodes(): void {
  takeCode();
  addEventListener("hashchange", takeCode);
}

function takeCode(): void {
  const { pathname, hash, search } = location;
  if (!pages.has(pathname)) return;
  const code = new URLSearchParams(hash.slice(1)).get("code") ?? new URLSearchParams(search).get("code");
  if (code === null) return;
  history.replaceState(history.state, "", pathname);
  keepCode(pathname, code);
}

/** The code that a page of ours was given; empty without one. */
export function codeOf(page: string): string {
  // Read, so that what is drawn with it is drawn again.
  void changes.value;
  return kept.get(page) ?? readStored(placeOf(page), "sessionStorage") ?? "";
}

function keepCode(page: string, code: string): void {
  kept.set(page, code);
  store(placeOf(page), code, "sessionStorage");
  changes.value += 1;
}

/** Forgets a code that is used up. The page still shows it until it is left. */
export function forgetCode(page: string): void {
  kept.delete(page);
  store(placeOf(page), null, "sessionStorage");
}
