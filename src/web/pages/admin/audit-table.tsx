import type { ComponentChildren } from "preact";
import { Table, type Column } from "../../parts/table.tsx";
import { showList, showMoment } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import {
  actorName,
  changedFields,
  fieldName,
  fieldsOf,
  personName,
  thingOf,
  wordsOf,
  type AuditEntry,
  type Detail,
  type Person,
} from "./audit-words.ts";
import { levelName } from "./people.tsx";

/** Changes: a sentence for each, with links to the people concerned, and the old and new values folded below it. */
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
  const { records, staff } = words.value;
  return [
    { head: records.when, cell: ({ time }) => <span class="moment">{showMoment(time)}</span> },
    {
      head: staff.happened,
      cell: (entry) => (
        <>
          <Sentence entry={entry} />
          <Details entry={entry} />
        </>
      ),
    },
  ];
}

/** The sentence of an entry, whose {names} become links and values. */
function Sentence({ entry }: { readonly entry: AuditEntry }) {
  const known = wordsOf(entry.action);
  const text = known?.text ?? words.value.staff.unknownAction;
  const parts = text.split(/\{(\w+)\}/);
  return (
    <p class="sentence">
      {parts.map((part, index) => (index % 2 === 0 ? part : partOf(part, entry, known !== null)))}
    </p>
  );
}

function partOf(part: string, entry: AuditEntry, isKnown: boolean): ComponentChildren {
  if (part === "actor") return <Actor entry={entry} />;
  if (part === "person") return entry.about === null ? "–" : <PersonLink person={entry.about} />;
  if (part === "fields") return showList(changedFields(entry));
  const { old, new: now } = entry.detail as Detail;
  if (part === "level") return levelName(Number(fieldsOf(now)["perms"]));
  if (part === "before") return <Name text={valueText("username", fieldsOf(old)["username"])} href={null} />;
  const { name, href } = isKnown ? thingOf(entry) : { name: entry.action, href: null };
  return <Name text={name} href={href} />;
}

function Actor({ entry: { by, iss } }: { readonly entry: AuditEntry }) {
  if (by !== null) return <PersonLink person={by} />;
  return <Name text={actorName(iss)} href={`/admin/audit?iss=${encodeURIComponent(iss)}`} />;
}

function PersonLink({ person }: { readonly person: Person }) {
  return <Name text={personName(person)} href={person.deleted ? null : `/admin/users/${person.id}`} />;
}

function Name({ text, href }: { readonly text: string; readonly href: string | null }) {
  return href === null ? (
    <b dir="auto">{text}</b>
  ) : (
    <a href={href} dir="auto">
      {text}
    </a>
  );
}

/** What was before and after, field by field, and the entry's other fields. */
function Details({ entry }: { readonly entry: AuditEntry }) {
  const { old, new: now, ...others } = entry.detail as Detail;
  const [before, after] = [fieldsOf(old), fieldsOf(now)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  if (names.size === 0 && Object.keys(others).length === 0) return null;
  return (
    <details class="folded">
      <summary>{words.value.staff.details}</summary>
      <ul class="values">
        {[...names].map((name) => (
          <li key={name}>
            <span class="soft">{fieldName(name)}</span>{" "}
            {name in before && name in after ? (
              <>
                <del dir="auto">{valueText(name, before[name])}</del>{" "}
                <ins dir="auto">{valueText(name, after[name])}</ins>
              </>
            ) : (
              <span dir="auto">{valueText(name, name in after ? after[name] : before[name])}</span>
            )}
          </li>
        ))}
        {Object.entries(others).map(([name, value]) => (
          <li key={name}>
            <span class="soft">{fieldName(name)}</span> <span dir="auto">{valueText(name, value)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const levels: ReadonlySet<string> = new Set(["perms", "perms_permanent"]);
const times: ReadonlySet<string> = new Set([
  "perms_expires_at",
  "expired_at",
  "expires",
  "last_used",
  "time",
  "Expires_at",
  "since",
  "until",
]);

function valueText(name: string, value: unknown): string {
  const { admin, staff } = words.value;
  if (value === null || value === undefined || value === "") return admin.none;
  if (typeof value === "boolean") return value ? staff.yes : staff.no;
  if (typeof value === "number" && levels.has(name)) return levelName(value);
  if (typeof value === "number" && times.has(name)) return showMoment(value);
  if (Array.isArray(value)) return value.map((one) => valueText(name, one)).join(", ") || admin.none;
  if (typeof value !== "object") return typeof value === "string" ? value : JSON.stringify(value);
  const fields = Object.entries(value).map(([field, one]) => `${fieldName(field)} ${valueText(field, one)}`);
  return fields.join(" · ");
}
