import { api, ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { setMember, type Member } from "../../api/session.ts";

type Opened = { readonly member: Member; readonly problem: null } | { readonly problem: Problem };

/** Signs in, and takes the session over. */
export async function openSession(body: {
  readonly username: string;
  readonly password: string;
  readonly stay: boolean;
}): Promise<Opened> {
  const result = await ask(api.POST("/console/session", { body }));
  if (!result.ok) return { problem: result.problem };
  setMember(result.body.data);
  return { member: result.body.data, problem: null };
}
