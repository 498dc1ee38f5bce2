import { Type, type Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { Overview } from "../../domain/health/overview.ts";
import type { CheckResult } from "../../domain/health/check-result.ts";
import type { FindingCode } from "../../domain/health/finding.ts";
import { findingTexts } from "../../domain/health/finding-texts.ts";
import { limits } from "../../kernel/limits.ts";
import { envelopeOf } from "../envelope.ts";
import { givenNumber, givenText } from "../fields.ts";
import { examples } from "../openapi/examples.ts";

const day = t.Object(
  {
    day: givenText("The day in UTC", "2026-01-01"),
    registrations: givenNumber("Accounts that were made", 12),
    sign_ins: givenNumber("Sessions that were opened, on the website and in games", 340),
  },
  { component: "Day" },
);

const codes = Object.keys(findingTexts) as FindingCode[]; // the table has no other keys

const check = t.Object(
  {
    name: givenText("What was checked", "disk"),
    state: t.Union([t.Literal("ok"), t.Literal("warning"), t.Literal("fault")], {
      description: "`warning`: it works, but not as well or as safely as it could",
      examples: ["warning"],
    }),
    // The union of a list has no type of its own.
    code: Type.Unsafe<FindingCode>(
      t.Union(
        codes.map((code) => t.Literal(code)),
        {
          description:
            "What was found, for programs that say it in another language. A newer server may know more codes: show `text` then",
          examples: ["disk_low"],
        },
      ),
    ),
    values: t.Record(t.String(), t.Union([t.String(), Type.Integer(), t.Boolean()]), {
      documented: {
        type: "object",
        additionalProperties: {
          anyOf: [{ type: "string" }, { type: "integer", format: "int64" }, { type: "boolean" }],
        },
        description:
          "What the sentences of the code name: texts, counts, sizes in bytes, times in Unix seconds. A `reason` is in the words of the system or of the other server",
        examples: [{ free: 734_003_200, database: 524_288_000 }],
      },
    }),
    text: givenText("What was found, in English", "700 MiB are free, the database has 500 MiB"),
    remedy: t.Union([t.String(), t.Null()], {
      description: "What to do about it, in English; null: nothing",
      examples: ["make room: a backup needs the database's size twice"],
    }),
  },
  { component: "Check" },
);

const overview = t.Object(
  {
    accounts: t.Object({
      total: givenNumber("All accounts", 1204),
      unconfirmed: givenNumber("Those whose mail address is not confirmed", 3),
    }),
    skins: givenNumber("Skins of all users", 5310),
    capes: givenNumber("All capes", 12),
    days: t.Array(day, {
      description: `The last ${limits.daysShown} days, today included, the oldest first`,
    }),
    mail: t.Object({
      waiting: givenNumber("Mails that wait to be sent", 2),
      failed: givenNumber("Mails that were given up", 0),
    }),
    disk: t.Union(
      [
        t.Object({
          free_bytes: givenNumber("Room that is left", 52_613_349_376),
          used_bytes: givenNumber("What all that is on the disk takes", 21_474_836_480),
        }),
        t.Null(),
      ],
      {
        description: "The disk of the data with the least room; null where no disk says how much it has",
        examples: [{ free_bytes: 52_613_349_376, used_bytes: 21_474_836_480 }],
      },
    ),
    cache: t.Object({
      hits: givenNumber("Requests for pictures that were in memory, since the start", 92_113),
      misses: givenNumber("Requests for those that were not", 1408),
    }),
    checks: t.Array(check),
    version: givenText("The release", "0.2.0"),
    started_at: givenNumber("When the server was started: Unix seconds", examples.time),
  },
  { component: "Overview" },
);
/** `GET /api/admin/overview` (docs/contract/admin.md#overview). */
export const overviewEnvelope = envelopeOf(overview);

const dayMs = 24 * 60 * 60 * 1000;

export function presentOverview(
  { days, disk, mail, accounts, skins, capes, checks }: Overview,
  server: Pick<Static<typeof overview>, "cache" | "version" | "started_at">,
): Static<typeof overview> {
  return {
    accounts,
    skins,
    capes,
    days: days.map(({ day: number, registrations, signIns }) => ({
      day: new Date(number * dayMs).toISOString().slice(0, "2026-01-01".length),
      registrations,
      sign_ins: signIns,
    })),
    mail,
    disk: disk === null ? null : { free_bytes: disk.bytes, used_bytes: disk.used },
    ...server,
    checks: checks.map(presentCheck),
  };
}

function presentCheck({ name, state, code, values, text, remedy }: CheckResult): Static<typeof check> {
  return { name, state, code, values: { ...values }, text, remedy };
}
