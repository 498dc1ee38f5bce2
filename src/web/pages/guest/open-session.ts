import { api, ask } from "../../api/client.ts";
import { refusal, type Problem } from "../../api/problem.ts";
import { setMember } from "../../api/session.ts";
import { words } from "../../words/language.ts";

/** Signs in and uses the session. Returns what went wrong, or null. */
export async function openSession(body: {
  readonly username: string;
  readonly password: string;
  readonly stay: boolean;
}): Promise<Problem | null> {
  const opened = await ask(api.POST("/console/session", { body }));
  return opened.ok ? takeSessionOver() : opened.problem;
}

/** Uses the session that an answer has opened. Returns what went wrong, or null. */
export async function takeSessionOver(): Promise<Problem | null> {
  // Without the cookie the next page would lead back to the sign-in, again and again.
  const kept = await ask(api.GET("/console/session"));
  if (!kept.ok) return kept.problem;
  if (kept.body.data === null) return refusal(words.peek().guest.noCookies);
  setMember(kept.body.data);
  return null;
}
