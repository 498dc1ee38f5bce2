import { api, ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { setMember } from "../../api/session.ts";

/** Signs in, and takes the session over. Gives what stood in the way. */
export async function openSession(body: {
  readonly username: string;
  readonly password: string;
  readonly stay: boolean;
}): Promise<Problem | null> {
  const result = await ask(api.POST("/console/session", { body }));
  if (!result.ok) return result.problem;
  setMember(result.body.data);
  return null;
}
