import type { components } from "../../api/types.ts";
import { Table, type Column } from "../../parts/table.tsx";
import { showMoment } from "../../words/format.ts";
import { words } from "../../words/language.ts";

export type AuditEntry = components["schemas"]["AuditEntry"];

/** Changes: who made them, when, for whom, with old and new values. */
export function AuditTable({
  label,
  entries,
}: {
  readonly label: string;
  readonly entries: readonly AuditEntry[];
}) {
  return <Table label={label} columns={columns()} rows={entries} keyOf={({ id }) => id} />;
}

function columns(): readonly Column<AuditEntry>[] {
  const { admin, records } = words.value;
  return [
    { head: records.when, cell: ({ time }) => <span class="moment">{showMoment(time)}</span> },
    {
      head: records.who,
      cell: ({ iss, actor_id }) =>
        actor_id === null ? (
          <span dir="auto">{iss}</span>
        ) : (
          <a href={`/admin/users/${actor_id}`} dir="auto">
            {iss}
          </a>
        ),
    },
    { head: records.what, cell: ({ action }) => <span class="code word">{action}</span> },
    {
      head: records.forWhom,
      cell: (entry) =>
        entry.for === 0 ? null : (
          <a class="word" href={`/admin/users/${entry.for}`}>
            {admin.userNumber(entry.for)}
          </a>
        ),
    },
    { head: records.values, cell: ({ detail }) => <Values detail={detail} /> },
  ];
}

type Detail = Readonly<Record<string, unknown>>;

/** What was before and after, field by field, and the entry's other fields; all by the names that the audit has for them. */
function Values({ detail }: { readonly detail: Detail }) {
  const { old, new: now, ...others } = detail;
  const [before, after] = [fieldsOf(old), fieldsOf(now)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return (
    <ul class="values">
      {[...names].map((name) => (
        <li key={name}>
          <span class="soft">{name}</span> {name in before && <del dir="auto">{valueText(before[name])}</del>}{" "}
          {name in after && <ins dir="auto">{valueText(after[name])}</ins>}
        </li>
      ))}
      {Object.entries(others).map(([name, value]) => (
        <li key={name}>
          <span class="soft">{name}</span> <span dir="auto">{valueText(value)}</span>
        </li>
      ))}
    </ul>
  );
}

function fieldsOf(value: unknown): Detail {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  return value === undefined || value === null ? {} : { "": value };
}

function valueText(value: unknown): string {
  if (value === "") return "∅";
  return typeof value === "string" ? value : JSON.stringify(value);
}
