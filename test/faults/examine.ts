/* What must hold in the data folder of a service that was just killed. */
import { Database } from "bun:sqlite";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Promised } from "./life.ts";
import type { PostOffice } from "./post-office.ts";

/** A mail of the outbox. */
export type Posted = {
  readonly id: number;
  readonly messageId: string;
  readonly template: string;
  readonly to: string;
  readonly state: "waiting" | "sent" | "failed";
  readonly tried: boolean;
  /** Taken by a sender that did not live to write down what came of it. */
  readonly inFlight: boolean;
};

export type Found = { readonly faults: readonly string[]; readonly mails: readonly Posted[] };

/** Looks at a copy of the database and its log, so that what the crash left is recovered by the service itself. */
export async function examine(
  dataDir: string,
  members: readonly Promised[],
  office: PostOffice,
): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-examined-"));
  try {
    for (const name of ["cloakroom.db", "cloakroom.db-wal"]) {
      if (await Bun.file(join(dataDir, name)).exists()) await cp(join(dataDir, name), join(folder, name));
    }
    using database = new Database(join(folder, "cloakroom.db"));
    const mails = database.query<MailRow, []>(mailsQuery).all().map(toPosted);
    const faults = [
      ...database
        .query("PRAGMA integrity_check")
        .values()
        .flat()
        .filter((word) => word !== "ok"),
      ...database
        .query("PRAGMA foreign_key_check")
        .values()
        .map((row) => `broken reference: ${row.join(" ")}`),
      ...halves.flatMap(({ what, query }) =>
        database
          .query(query)
          .values()
          .map((row) => `${what}: ${row.join(" ")}`),
      ),
      ...mailFaults(mails, office),
      ...members.flatMap((member) => memberFaults(database, mails, member)),
    ];
    return { faults: faults.map(String), mails };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Things of which one half is there: each query finds those. */
const halves = [
  {
    what: "a player whose account has no password or no confirmed address",
    query: `SELECT players.name FROM players LEFT JOIN accounts ON accounts.id = players.account_id
            WHERE accounts.password_hash IS NULL OR accounts.mail_verified = 0`,
  },
  {
    what: "a player with another uuid than the account's",
    query: `SELECT players.name FROM players JOIN accounts ON accounts.id = players.account_id
            WHERE accounts.uuid <> players.uuid`,
  },
  {
    what: "a confirmed address whose code can be used again",
    query: `SELECT accounts.mail FROM accounts JOIN codes ON codes.account_id = accounts.id
            WHERE accounts.mail_verified = 1 AND codes.purpose = 'confirm'`,
  },
  {
    what: "an account that nobody can confirm",
    query: `SELECT mail FROM accounts WHERE mail_verified = 0 AND id NOT IN (SELECT account_id FROM codes)`,
  },
  {
    what: "a name that is held although it is in use",
    query: `SELECT held_names.name_key FROM held_names JOIN players USING (name_key)`,
  },
  {
    what: "a mail that waits without content, or is sent and still has it",
    query: `SELECT id FROM outbox WHERE (state = 'waiting') = (content IS NULL)`,
  },
  {
    what: "a mail that was not taken at once, although the server takes all",
    query: `SELECT id, last_reply FROM outbox WHERE state = 'failed' OR state = 'waiting' AND last_reply IS NOT NULL`,
  },
] as const;

type MailRow = {
  readonly id: number;
  readonly template: string;
  readonly recipient: string;
  readonly state: Posted["state"];
  readonly attempts: number;
  readonly created_at: number;
  readonly due_at: number;
};

const mailsQuery =
  "SELECT id, template, recipient, state, attempts, created_at, due_at FROM outbox ORDER BY id";

function toPosted({ recipient, attempts, created_at, due_at, ...row }: MailRow): Posted {
  return {
    ...row,
    to: recipient,
    messageId: `${created_at}.${row.id}@www.example.org`,
    tried: attempts > 0,
    // Who takes a mail moves its time into the future; in this test nothing else does.
    inFlight: row.state === "waiting" && due_at > created_at,
  };
}

function mailFaults(mails: readonly Posted[], { taken }: PostOffice): readonly string[] {
  const known = new Set(mails.map(({ messageId }) => messageId));
  const lost = mails.filter(({ state, messageId }) => state === "sent" && !taken.has(messageId));
  const forgotten = mails.filter(({ tried, messageId }) => !tried && taken.has(messageId));
  return [
    ...lost.map(({ messageId }) => `a mail that counts as sent never came: ${messageId}`),
    ...forgotten.map(({ messageId }) => `a mail that came counts as never tried: ${messageId}`),
    ...[...taken.keys()].filter((id) => !known.has(id)).map((id) => `a mail that nobody posted: ${id}`),
  ];
}

type MemberRow = { readonly id: number; readonly verified: number; readonly name: string | null };

function memberFaults(database: Database, mails: readonly Posted[], member: Promised): readonly string[] {
  const about = (fault: string) => `${member.mail}, ${member.stage}: ${fault}`;
  const row = database
    .query<MemberRow, [string]>(
      `SELECT accounts.id, mail_verified AS verified, players.name FROM accounts
       LEFT JOIN players ON players.account_id = accounts.id WHERE mail_key = ?`,
    )
    .get(member.mail);
  if (row === null) return member.stage === "stranger" ? [] : [about("the account is not there")];
  const confirmed = member.stage === "confirmed" || member.stage === "finished";
  const names = member.stage === "finished" ? [member.name, member.pendingName] : [null, member.pendingName];
  const isHeld = database.query("SELECT 1 FROM held_names WHERE account_id = ? AND name_key = ?");
  const postings = Object.entries(member.posted).flatMap(([template, { asked, answered }]) => {
    const count = mails.filter((mail) => mail.to === member.mail && mail.template === template).length;
    if (count >= answered && count <= asked) return [];
    return [about(`${count} mails of ${template}, not ${answered} to ${asked}`)];
  });
  return [
    ...(confirmed && row.verified !== 1 ? [about("the address is not confirmed")] : []),
    ...(names.includes(row.name) ? [] : [about(`the name is ${row.name}, not ${names.join(" or ")}`)]),
    ...member.formerNames
      .filter((name) => isHeld.get(row.id, name.toLowerCase()) === null)
      .map((name) => about(`${name} is not held`)),
    ...postings,
  ];
}
