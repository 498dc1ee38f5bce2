import { api, ask } from "../../api/client.ts";
import { refusal, type Problem } from "../../api/problem.ts";
import { setMember } from "../../api/session.ts";
import { words } from "../../words/language.ts";

/** Signs in, and takes the session over. Gives what stood in the way. */
export async function openSession(body: {
  readonly username: string;
  readonly password: string;
  readonly stay: boolean;
}): Promise<Problem | null> {
  const opened = await ask(api.POST("/console/session", { body }));
  return opened.ok ? takeSessionOver() : opened.problem;
}

/** Takes over the session that an answer has opened. Gives what stood in the way. */
export async function takeSessionOver(): Promise<Problem | null> {
  // A browser that keeps no cookie would be led back to the sign-in by the next page, again and again.
  const kept = await ask(api.GET("/console/session"));
  if (!kept.ok) return kept.problem;
  if (kept.body.data === null) return refusal(words.peek().guest.noCookies);
  setMember(kept.body.data);
  return null;
}
