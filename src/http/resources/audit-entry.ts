import { rules } from "../rules.ts";
import { Type, type Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { ChainReport } from "../../domain/audit/verify-chain.ts";
import { auditActions } from "../../domain/model/audit-action.ts";
import type { ChainedEntry } from "../../domain/model/audit-chain.ts";
import type { AuditFilter, AuditPerson, RecordedEntry } from "../../domain/ports/audit-store.ts";
import { AppError } from "../../kernel/errors.ts";
import { rowNumberMax, type AccountId } from "../../kernel/ids.ts";
import { instantMax, parseInstant } from "../../kernel/instant.ts";
import { jsonCell } from "../csv.ts";
import { envelopeOf } from "../envelope.ts";
import { givenFlag, givenNumber, givenText, readUserId } from "../fields.ts";
import { pageQuery } from "../paging.ts";
import { examples } from "../openapi/examples.ts";

const example = {
  old: { perms: 1, perms_permanent: 1, perms_expires_at: null },
  new: { perms: 2, perms_permanent: 1, perms_expires_at: examples.endSeconds },
};

const personFields = t.Object(
  {
    id: givenNumber("Id of the user", examples.userId),
    name: givenText(
      "What they are called now: the username, or the mail address before there is one; of a deleted user the last one, or empty",
      examples.admin,
    ),
    deleted: givenFlag("Whether the user is deleted", false),
  },
  { component: "AuditPerson" },
);

const givenPerson = (description: string) =>
  t.Union([personFields, t.Null()], {
    description,
    examples: [{ id: examples.userId, name: examples.admin, deleted: false }],
  });

const entry = t.Object(
  {
    id: givenNumber("The value for `after`", 2031),
    iss: givenText("Who made the change: a username, service:<name>, cli, or system", examples.admin),
    actor_id: t.Union([Type.Integer(), t.Null()], {
      description: "Id of the user who made the change, whatever their name is now; null where no user did",
      examples: [examples.userId],
    }),
    actor_via: t.Union([t.String(), t.Null()], {
      description: "Through what: session:<id> or token:<id>; null for cli and system",
      examples: [`session:${examples.session}`],
    }),
    by: givenPerson("The user who made the change, as they are now; null where no user did"),
    action: givenText(`What was done: ${auditActions.join(", ")}`, "role.set"),
    for: givenNumber("Id of the user that it concerns, else 0", examples.userId),
    about: givenPerson("The user that it concerns, as they are now; null if there is none"),
    time: givenNumber("Unix seconds", examples.time),
    detail: t.Object(
      {},
      {
        additionalProperties: true,
        documented: {
          type: "object",
          description: "Old and new values; secrets are left out",
          examples: [example],
        },
      },
    ),
  },
  { component: "AuditEntry" },
);

/** `GET /api/admin/audit` (docs/contract/admin.md#audit). */
export const auditEnvelope = envelopeOf(t.Array(entry));

type People = ReadonlyMap<number, AuditPerson>;

/** `people` holds everybody that the entry names. */
export function presentEntry(recorded: RecordedEntry, people: People): Static<typeof entry> {
  const { id, actor, action, forAccountId, at, detail } = recorded;
  const { name: iss, accountId: actor_id, via: actor_via } = actor;
  const [by, about] = [presentPerson(actor_id, people), presentPerson(forAccountId, people)];
  return { id, iss, actor_id, actor_via, by, action, for: forAccountId ?? 0, about, time: at, detail };
}

function presentPerson(id: number | null, people: People): Static<typeof personFields> | null {
  const person = people.get(id ?? 0);
  return person === undefined ? null : { id: person.id, name: person.name, deleted: person.isDeleted };
}

/** The columns of the export as CSV. */
export const exportHeads = [
  "id",
  "time",
  "iss",
  "actor_id",
  "actor_name",
  "actor_via",
  "action",
  "for",
  "for_name",
  "detail",
] as const;

/** An entry's cells; the time is ISO 8601 in UTC. */
export function exportCells(exported: ChainedEntry, people: People): readonly (string | number | null)[] {
  const { id, at, actorName, actorAccountId, actorVia, action, forAccountId, detail } = exported;
  const nameOf = (account: number | null) => people.get(account ?? 0)?.name ?? null;
  const actor = [actorName, actorAccountId, nameOf(actorAccountId), actorVia];
  const time = new Date(at * 1000).toISOString();
  return [id, time, ...actor, action, forAccountId, nameOf(forAccountId), jsonCell(detail)];
}

/** An entry as `cloakroom audit export` prints it, from which its hash can be computed again. */
export function presentChained(exported: ChainedEntry) {
  const { id, actorName, action, forAccountId, at, detail, version, previousHash, hash } = exported;
  const actor = { actor_id: exported.actorAccountId, actor_via: exported.actorVia };
  const facts = { id, iss: actorName, ...actor, action, for: forAccountId, time: at, detail };
  return { ...facts, version, previous_hash: previousHash, hash };
}

const timeParameter = (description: string) =>
  t.Optional(
    t.String({
      description: `${description}: ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds)`,
      rule: rules.time.of(),
      documented: {
        anyOf: [
          { type: "string", shape: "instant" },
          { type: "integer", minimum: 0, maximum: instantMax },
        ],
        examples: [examples.time],
      },
    }),
  );

const filterQuery = {
  for: t.Optional(
    t.String({
      description: "Id of the user that they concern",
      rule: rules.userId.of(),
      documented: { type: "integer", minimum: 1, maximum: rowNumberMax, examples: [examples.userId] },
    }),
  ),
  by: t.Optional(
    t.String({
      description: "Id of the user who made the change, whatever their name was",
      rule: rules.userId.of(),
      documented: { type: "integer", minimum: 1, maximum: rowNumberMax, examples: [examples.userId] },
    }),
  ),
  iss: t.Optional(
    t.String({
      description: "Who made the change, exactly as it is written",
      rule: rules.oneText.of(),
      examples: [examples.admin],
    }),
  ),
  action: t.Optional(
    t.String({
      description: "What was done, exactly as it is written",
      rule: rules.oneText.of(),
      examples: ["role.set"],
    }),
  ),
  since: timeParameter("The first second"),
  until: timeParameter("The last second"),
};

/** `GET /api/admin/audit`: a page, and which entries it is of. */
export const auditQuery = t.Object({ ...pageQuery.properties, ...filterQuery });

const formatRule = rules.oneOf.of("csv or jsonl");
/** `GET /api/admin/audit/export`: which entries, and how they are written. */
export const exportQuery = t.Object({
  format: t.Optional(
    t.String({
      description: "`csv` for spreadsheets, or `jsonl`: lines of JSON with the hashes of the chain",
      rule: formatRule,
      documented: { type: "string", enum: ["csv", "jsonl"], default: "csv" },
    }),
  ),
  q: pageQuery.properties.q,
  ...filterQuery,
});

/** How an export is written. */
export type ExportFormat = "csv" | "jsonl";

/** Fails with invalid, naming the rule. */
export function readFormat(text = "csv"): ExportFormat {
  if (text === "csv" || text === "jsonl") return text;
  throw new AppError(formatRule, { field: "format" });
}

type FilterQuery = Partial<Record<(typeof filterNames)[number], string>>;

const filterNames = ["for", "by", "iss", "action", "since", "until"] as const;

/** The parameters of the filter that a query has. */
export function keptFilter(query: FilterQuery): FilterQuery {
  return Object.fromEntries(
    filterNames.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );
}

/**
 * The filter that a query asks for; one without parameters lets every entry pass. Fails with invalid, naming
 * the parameter and the rule.
 */
export function readAuditFilter(query: FilterQuery): AuditFilter {
  const { iss: actor = null, action = null, since, until } = query;
  return {
    forAccountId: readId("for", query.for),
    actorAccountId: readId("by", query.by),
    actor,
    action,
    since: readTime("since", since),
    until: readTime("until", until),
  };
}

function readId(name: string, text: string | undefined): AccountId | null {
  return text === undefined ? null : readUserId(text, () => rules.userId({ field: name }));
}

function readTime(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = parseInstant(/^\d+$/.test(text) ? Number(text) : text);
  if (seconds === null) throw rules.time({ field: name });
  return seconds;
}

const chain = t.Object(
  {
    entries: givenNumber("How many entries are valid, from the first one on", 2031),
    intact: givenFlag("Whether all are", true),
    broken_at: t.Union([Type.Integer(), t.Null()], {
      description: "Id of the first entry that is not; null: no entry",
      examples: [null],
    }),
    problem: t.Union([t.String(), t.Null()], {
      description: "What is wrong with it",
      examples: [null],
    }),
    hash: givenText(
      'Hash of the newest valid entry, to be noted; empty without entries: ""',
      examples.digest,
    ),
  },
  { component: "AuditChain" },
);
/** `GET /api/admin/audit/chain`. */
export const chainEnvelope = envelopeOf(chain);

export function presentChain({ newest, fault }: ChainReport): Static<typeof chain> {
  return {
    entries: newest.id,
    intact: fault === null,
    broken_at: fault?.entry ?? null,
    problem: fault?.problem ?? null,
    hash: newest.hash,
  };
}
