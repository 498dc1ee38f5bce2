/** What operators read of the servers of a list. */
import { serverHostText } from "../../../kernel/server-address.ts";
import type { Choice, Found } from "./primary.ts";
import { isNewer } from "./standing.ts";

export function withTimeline({ host, standing }: Found): string {
  return `${serverHostText(host)} (timeline ${standing.history?.timeline ?? "unknown"})`;
}

/** What to do about several servers that take writes. */
export function rivalRemedy(found: Choice): string {
  const older = found.rivals.filter((rival) => isNewer(found.standing, rival.standing));
  if (older.length === found.rivals.length)
    return `stop PostgreSQL on ${namesOf(older)}, which was replaced, and keep it from starting by itself. What was changed there alone has to be taken over by hand before it becomes a standby`;
  return `stop PostgreSQL on ${namesOf(found.rivals)} unless its data is the right one. DATABASE_URL may name a primary and its standbys alone`;
}

function namesOf(some: readonly Found[]): string {
  return some.map(({ host }) => serverHostText(host)).join(", ");
}
