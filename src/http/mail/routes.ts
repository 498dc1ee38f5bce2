import { Elysia } from "elysia";

export type MailPageDeps = object;

/** `/mail`: what links in mails open. */
export function mailPages(_deps: MailPageDeps) {
  return new Elysia({ prefix: "/mail" });
}
