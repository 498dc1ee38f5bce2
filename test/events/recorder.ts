/* Writes down what each step of a series leaves behind, with names in place of what is made by chance. */
import { verifyChain } from "../../src/domain/audit/verify-chain.ts";
import type { Harness } from "../support/harness.ts";

/** Searches whose results are written down when they change. */
const searched = [
  "ali",
  "bob",
  "second",
  "example.org",
  "renamed",
  "founder",
  "gilded",
  "first",
  "never",
  "cape.",
];

/** UUIDs with dashes and without, digests, tokens. */
const chance =
  /eyJ[\w-]+\.[\w-]+\.[\w-]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b|\bcrs_[\w-]{43}\b|\b[\w-]{43}\b/g;
/** Fields that hold numbers of rows: a run that is rolled back uses some up on PostgreSQL. */
const numbered: Readonly<Record<string, string>> = {
  accountId: "account",
  forAccountId: "account",
  owners: "account",
  users: "account",
  Id: "cape",
};

const unstable = new Set(["time", "id", "mail"]);

/** Names things alike in two worlds that meet them in the same order. */
function createNames() {
  const names = new Map<string, string>();
  const nameOf = (kind: string, value: string): string => {
    const known = names.get(value);
    if (known !== undefined) return known;
    const name = `<${kind}${names.size + 1}>`;
    names.set(value, name);
    return name;
  };
  const named = (value: unknown, field = ""): unknown => {
    if (Array.isArray(value)) return value.map((one) => named(one, field));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, named(inner, name)]));
    if (typeof value === "string") return value.replaceAll(chance, (found) => nameOf("", found));
    // Commands have the machine's clock, and some rows numbers that are used up by runs that are rolled back.
    if (unstable.has(field) && typeof value === "number") return `<${field}>`;
    const row = numbered[field];
    return typeof value === "number" && row !== undefined ? nameOf(`${row} `, `${row} ${value}`) : value;
  };
  return (value: unknown): string => JSON.stringify(named(value));
}

export type Recorder = {
  /** Does something and writes down its outcome and what it left. */
  readonly step: (title: string, work: () => Promise<unknown>) => Promise<void>;
  readonly lines: readonly string[];
};

/** Begins with what the database holds now. */
export async function openRecorder(harness: Harness): Promise<Recorder> {
  const { services, database, clock } = harness;
  const { reads } = services;
  const text = createNames();
  const lines: string[] = [];
  const begun = clock.nowSeconds();
  const seen = {
    event: await reads.events.newestEventId(),
    change: 0,
    entry: 0,
    state: new Map<string, string>(),
  };

  /** A line for each thing that differs from what it was after the step before. */
  const look = (name: string, value: unknown): void => {
    const line = `  ${name}: ${text(value)}`;
    if (seen.state.get(name) === line) return;
    seen.state.set(name, line);
    lines.push(line);
  };
  const after = async (): Promise<void> => {
    for (const event of await reads.events.listEvents(seen.event, 1_000)) {
      const { id, at, ...content } = event;
      // The program's own clock is another one.
      lines.push(`  event${at < begun ? "" : ` +${at - begun}`} ${text(content)}`);
      seen.event = id;
    }
    const changes = database.rows(
      `SELECT id, kind, subject FROM change WHERE id > ${seen.change} ORDER BY id`,
    );
    // A commit changes a set of subjects, in no order.
    const subjects = changes.map(({ kind, subject }) => text(`${String(kind)}:${String(subject)}`));
    lines.push(...subjects.toSorted().map((subject) => `  changed ${subject}`));
    seen.change = Number(changes.at(-1)?.["id"] ?? seen.change);
    for (const { id, ...entry } of await reads.audit.readChain(seen.entry, 1_000)) {
      const { actorName: issuer, actorAccountId, action, forAccountId, detail } = entry;
      lines.push(
        `  audit ${text({ issuer, accountId: actorAccountId, action, forAccountId, detail: JSON.parse(detail) })}`,
      );
      seen.entry = id;
    }
    look("counts", {
      members: await reads.accounts.countMembers(null),
      unconfirmed: await reads.accounts.countUnconfirmed(),
      skins: await reads.textures.countAllSkins(null),
      capes: await reads.textures.countAllCapes(null),
      entries: await reads.audit.countEntries(null),
      events: database.countRows("events"),
    });
    const first = Math.floor(begun / 86_400);
    const days = await reads.days.listDays(first);
    look(
      "days",
      days.map(({ day, ...counts }) => ({ day: day - first, ...counts })),
    );
    for (const search of searched) await lookFor(search);
    look(
      "bulk mails",
      database.rows("SELECT subject, total, waiting, sent, failed FROM bulk_mails ORDER BY id"),
    );
    look("webhooks", database.rows("SELECT attempts FROM webhooks ORDER BY address"));
  };
  const lookFor = async (search: string): Promise<void> => {
    const page = { after: null, rows: 100, search };
    look(`found ${search}`, {
      members: (await reads.accounts.listMembers(page)).map(
        ({ player, account }) => player?.name ?? account.mail,
      ),
      skins: (await reads.textures.listAllSkins(page)).map(({ name }) => name),
      capes: (await reads.textures.listAllCapes(page)).map(({ name }) => name),
      entries: await reads.audit.countEntries(search),
      counted: [
        await reads.accounts.countMembers(search),
        await reads.textures.countAllSkins(search),
        await reads.textures.countAllCapes(search),
      ],
    });
  };
  await after();

  return {
    step: async (title, work) => {
      const outcome = await work().then(outcomeOf, (error: unknown) =>
        error instanceof Error ? `failed with ${error.message}` : String(error),
      );
      lines.push(`${title}: ${outcome}`);
      await after();
      const { fault } = await verifyChain(reads.audit, { noted: null, onProgress: () => undefined });
      if (fault !== null) lines.push(`  the audit's chain is broken: ${text(fault)}`);
    },
    lines,
  };
}

/** Without the words of what succeeded. */
async function outcomeOf(value: unknown): Promise<string> {
  if (!(value instanceof Response)) return "done";
  return value.ok ? String(value.status) : `${value.status} ${await value.text()}`;
}
