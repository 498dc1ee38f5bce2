/* What the console's pages for staff ask, where the tables are a thousand times as long. */
import type { SignedIn } from "./accounts-data.ts";
import { digits, type Line } from "./report.ts";
import { inTurn } from "./statistics.ts";
import type { Server } from "./subject.ts";

/** A server, and people who are signed in to it: the first one is an administrator. */
export type Community = { readonly server: Server; readonly members: readonly SignedIn[] };

const rounds = 15;
/** How often a page is asked for in one round. */
const visits = 10;

/** The requests of each page, as `src/web/pages/admin` sends them. */
const pages: Readonly<Record<string, (somebody: SignedIn) => readonly string[]>> = {
  Overview: () => ["overview"],
  Users: () => ["users?limit=50&order=newest"],
  "Users by name": () => ["users?limit=50&order=name"],
  "Users by last use": () => ["users?limit=50&order=seen"],
  "Users, a search for a frequent text": () => ["users?limit=50&order=newest&q=example&count=1000"],
  "Users, a search for a whole name": ({ name }) => [`users?limit=50&order=newest&q=${name}&count=1000`],
  "Users, a search for a whole address": ({ mail }) => [
    `users?limit=50&order=newest&q=${encodeURIComponent(mail)}&count=1000`,
  ],
  "a user": ({ uuid }) => [
    `user/${uuid}`,
    `user/${uuid}/players`,
    `user/${uuid}/sessions`,
    "allcapes?limit=50",
    "audit?for=1&limit=50&count=1000",
  ],
  Skins: () => ["skins?limit=50&order=newest", "bans?limit=50"],
  "Skins, a search": () => ["skins?limit=50&order=newest&q=skin&count=1000"],
  Audit: () => ["audit?limit=50", "audit/chain"],
  "Audit of an actor": () => ["audit?limit=50&iss=cli&count=1000", "audit/chain"],
  "Audit of an action since a time": () => [
    "audit?limit=50&action=user.create&since=1000000000&count=1000",
    "audit/chain",
  ],
  Outbox: () => ["outbox?limit=50"],
};

/** Each page's requests one after the other, at both sizes in turn. */
export async function compareAdminPages(small: Community, large: Community): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const [page, requests] of Object.entries(pages)) {
    const { first, second, ratio } = await inTurn(
      rounds,
      () => visit(large, requests),
      () => visit(small, requests),
    );
    lines.push({
      measure: `console, ${page}, large community against small`,
      goal: { atMost: 1.3 },
      measured: ratio,
      unit: "times as much",
      detail: `${digits(first)} µs against ${digits(second)} µs`,
    });
  }
  return lines;
}

/** Microseconds until all requests of a page are answered. */
async function visit(
  { server, members }: Community,
  requests: (somebody: SignedIn) => readonly string[],
): Promise<number> {
  const [administrator] = members;
  const somebody = members[Math.floor(members.length / 2)];
  if (administrator === undefined || somebody === undefined) throw new Error("No member is signed in");
  const headers = { authorization: `Bearer ${administrator.token}` };
  const paths = requests(somebody);
  const start = performance.now();
  for (let number = 0; number < visits; number++) {
    for (const path of paths) {
      const answer = await fetch(`${server.url}/api/admin/${path}`, { headers });
      await answer.bytes();
      if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}`);
    }
  }
  return ((performance.now() - start) * 1000) / visits;
}
