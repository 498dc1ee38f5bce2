import { levelInForce } from "../../domain/model/account.ts";
import { endOf } from "../../domain/model/session.ts";
import type { SignedIn } from "../../domain/sessions/open-session.ts";
import { ok } from "../envelope.ts";
import type { Parts } from "../parts.ts";
import { presentConsoleSession } from "../resources/console.ts";
import { loggedIn } from "../resources/session.ts";

/** The cookie of a session that was opened just now. One who does not stay signed in loses it with the browser. */
export async function sessionCookie(
  { tokens, cookies }: Pick<Parts, "tokens" | "cookies">,
  signedIn: SignedIn,
  stay: boolean,
): Promise<string> {
  const { createdAt, expiresAt } = signedIn.session;
  return cookies.session.set(await tokens.issue(signedIn), stay ? expiresAt - createdAt : null);
}

/** The answer to a sign-in by the console's pages: who signed in, and the page that finishes the registration where it is unfinished. */
export function answerOpened({ pages }: Pick<Parts, "pages">, { member, session }: SignedIn, msg = loggedIn) {
  const level = levelInForce(member.account, session.createdAt);
  const endsAt = endOf(session, level, session.createdAt);
  const isFinished = member.account.registration === "complete";
  const next = isFinished ? null : pages().finishRegistration;
  return ok(msg, presentConsoleSession({ ...member, level, endsAt }), next);
}
