import { Type, type Static } from "@sinclair/typebox";
import { t } from "elysia";
import type { ChainReport } from "../../domain/audit/verify-chain.ts";
import type { AuditFilter, RecordedEntry } from "../../domain/ports/audit-store.ts";
import { AppError } from "../../kernel/errors.ts";
import { rowNumberMax } from "../../kernel/ids.ts";
import { instantMax, parseInstant } from "../../kernel/instant.ts";
import { envelopeOf } from "../envelope.ts";
import { expiryRule, givenFlag, givenNumber, givenText, readUserId } from "../fields.ts";
import { pageQuery } from "../paging.ts";
import { examples } from "../openapi/examples.ts";

const example = {
  old: { perms: 1, perms_permanent: 1, perms_expires_at: null },
  new: { perms: 2, perms_permanent: 1, perms_expires_at: examples.endSeconds },
};

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
    action: givenText("What was done, dotted: user.update", "role.set"),
    for: givenNumber("Id of the user that it concerns, else 0", examples.userId),
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

export function presentEntry(recorded: RecordedEntry): Static<typeof entry> {
  const { id, actor, action, forAccountId, at, detail } = recorded;
  const { name: iss, accountId: actor_id, via: actor_via } = actor;
  return { id, iss, actor_id, actor_via, action, for: forAccountId ?? 0, time: at, detail };
}

const userRule = "must be a user's id";
const nameRule = "must be one text";

const timeParameter = (description: string) =>
  t.Optional(
    t.String({
      description: `${description}: ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds)`,
      rule: expiryRule,
      documented: {
        anyOf: [
          { type: "string", shape: "instant" },
          { type: "integer", minimum: 0, maximum: instantMax },
        ],
        examples: [examples.time],
      },
    }),
  );

/** `GET /api/admin/audit`: a page, and which entries it is of. */
export const auditQuery = t.Object({
  ...pageQuery.properties,
  for: t.Optional(
    t.String({
      description: "Id of the user that they concern",
      rule: userRule,
      documented: { type: "integer", minimum: 1, maximum: rowNumberMax, examples: [examples.userId] },
    }),
  ),
  iss: t.Optional(
    t.String({
      description: "Who made the change, exactly as it is written",
      rule: nameRule,
      examples: [examples.admin],
    }),
  ),
  action: t.Optional(
    t.String({
      description: "What was done, exactly as it is written",
      rule: nameRule,
      examples: ["role.set"],
    }),
  ),
  since: timeParameter("The first second"),
  until: timeParameter("The last second"),
});
type AuditQuery = Static<typeof auditQuery>;

const filterNames = ["for", "iss", "action", "since", "until"] as const;

/** The parameters of the filter that a query has. */
export function keptFilter(query: AuditQuery): Partial<Record<(typeof filterNames)[number], string>> {
  return Object.fromEntries(
    filterNames.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );
}

/** The filter that a query asks for; undefined without one. Fails with invalid, naming the parameter and the rule. */
export function readAuditFilter(query: AuditQuery): AuditFilter | undefined {
  const given = keptFilter(query);
  if (Object.keys(given).length === 0) return undefined;
  const { for: account, iss: issuer = null, action = null } = given;
  return {
    forAccountId: account === undefined ? null : readUserId(account, `for: ${userRule}`),
    issuer,
    action,
    since: readTime("since", given.since),
    until: readTime("until", given.until),
  };
}

function readTime(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = parseInstant(/^\d+$/.test(text) ? Number(text) : text);
  if (seconds === null) throw new AppError("invalid", `${name}: ${expiryRule}`);
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
