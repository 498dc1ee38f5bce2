/* What one request costs where the tables are short and where they are very long. */
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { openReader } from "../../src/adapters/sqlite/open.ts";
import { mailKey } from "../../src/domain/model/mail-address.ts";
import type { SignedIn } from "./accounts-data.ts";
import { processorMicroseconds } from "./processor-time.ts";
import type { Server } from "./subject.ts";

/** A community of one size, served. */
export type Community = {
  readonly accounts: number;
  readonly databasePath: string;
  readonly members: readonly SignedIn[];
  readonly server: Server;
};

/** Gives microseconds for one of it. */
export type Measurement = {
  readonly name: string;
  readonly cost: (community: Community) => Promise<number>;
};

/** Requests of one measurement. */
const homes = 4000;
const pictures = 3000;
const pages = 150;
const lookupPasses = 20;
/** Fewer than half of the smallest audit, so that a page from the middle is a full one everywhere. */
const pageRows = 50;

let asked = 0;

export const measurements: readonly Measurement[] = [
  { name: "sign-in: the lookup, without the hash", cost: costOfSignInLookups },
  { name: "the same by SQLite alone", cost: costOfBareLookups },
  { name: "GET /api/home", cost: (all) => costOf(all, homes, homeOf) },
  {
    name: "launcher descriptor",
    cost: (all) => costOf(all, pictures, ({ uuid }) => get(`/api/skin/launcher/${uuid}`)),
  },
  {
    name: "a skin's file",
    cost: (all) => costOf(all, pictures, ({ uuid }) => get(`/api/skin/standart/${uuid}`)),
  },
  { name: "admin list of users, first page", cost: (all) => costOf(all, pages, adminPage(all, "users")) },
  {
    name: "admin list of users, from the middle",
    cost: (all) => costOf(all, pages, adminPage(all, `users?after=${Math.floor(all.accounts / 2)}`)),
  },
  {
    name: "admin list of users, searched for a name",
    cost: (all) => costOf(all, pages * 4, ({ name }) => adminPage(all, `users?q=${name}`)()),
  },
  { name: "audit, first page", cost: (all) => costOf(all, pages, adminPage(all, "audit")) },
  {
    name: "audit, from the middle",
    // There is an entry for every tenth account; those before the middle one are older.
    cost: (all) => costOf(all, pages, adminPage(all, `audit?after=${Math.floor(all.accounts / 20)}`)),
  },
];

type Asked = { readonly path: string; readonly headers: Readonly<Record<string, string>> };

/** Another address each time: answers that were given before are not looked up again. */
function get(path: string, headers: Readonly<Record<string, string>> = {}): Asked {
  asked += 1;
  return { path: `${path}${path.includes("?") ? "&" : "?"}n=${asked}`, headers };
}

function homeOf({ token }: SignedIn): Asked {
  return get("/api/home", { authorization: `Bearer ${token}` });
}

function adminPage({ members }: Community, list: string): () => Asked {
  const headers = { authorization: `Bearer ${members[0]?.token}` };
  const separator = list.includes("?") ? "&" : "?";
  return () => get(`/api/admin/${list}${separator}limit=${pageRows}`, headers);
}

/** Within this process, since a sign-in cannot be had without its hash. */
async function costOfSignInLookups({ databasePath, members }: Community): Promise<number> {
  using database = openDatabase(databasePath);
  const { accounts } = database.reads;
  return await costOfPasses(members, ({ mail }) =>
    accounts.findCredentials({ by: "mail", value: mailKey(mail) }),
  );
}

/** The limit: the same two columns, without anything of ours around the statement. */
async function costOfBareLookups({ databasePath, members }: Community): Promise<number> {
  const reader = openReader(databasePath);
  using client = reader;
  using statement = client.prepare("SELECT id, password_hash FROM accounts WHERE mail_key = ?");
  client.run("BEGIN");
  return await costOfPasses(members, ({ mail }) => statement.get(mailKey(mail)));
}

/** Microseconds for one, by the clock. */
async function costOfPasses(
  members: Community["members"],
  look: (one: SignedIn) => unknown,
): Promise<number> {
  const lookAll = async () => {
    for (const member of members) await look(member);
  };
  await lookAll(); // until the code is compiled
  const start = performance.now();
  for (let pass = 0; pass < lookupPasses; pass++) await lookAll();
  return ((performance.now() - start) * 1000) / (lookupPasses * members.length);
}

/**
 * Microseconds of processor time that the server spends on a request, the members asking in no order, sixteen
 * at once. The time until the answer would say as much about whatever else the machine does. NaN where the
 * system does not report it.
 */
async function costOf(
  { server, members }: Community,
  requests: number,
  make: (member: SignedIn) => Asked,
): Promise<number> {
  const turns = Array.from(
    { length: requests },
    (_, turn) => members[(turn * 1493) % members.length],
  ).values();
  const askOn = async () => {
    for (const member of turns) {
      if (member === undefined) continue;
      const { path, headers } = make(member);
      const answer = await fetch(server.url + path, { headers });
      if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}`);
      await answer.bytes();
    }
  };
  const before = await processorMicroseconds(server.pid);
  await Promise.all(Array.from({ length: 16 }, askOn));
  return ((await processorMicroseconds(server.pid)) - before) / requests;
}
