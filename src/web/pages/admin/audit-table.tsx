import type { ComponentChildren } from "preact";
import { Table, type Column } from "../../parts/table.tsx";
import { showList, showMoment } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { valueText } from "./audit-values.ts";
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

/**
 * Changes: a sentence for each, with links to the people concerned, and the old and new values folded below
 * it.
 */
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
  if (part === "person")
    return entry.about === null ? "–" : <PersonLink person={entry.about} as="for" entry={entry} />;
  if (part === "fields") return showList(changedFields(entry));
  const { old, new: now } = entry.detail as Detail;
  if (part === "level") return levelName(Number(fieldsOf(now)["perms"]));
  if (part === "before")
    return <Name text={valueText("username", fieldsOf(old)["username"], entry.action)} href={null} />;
  const { name, href } = isKnown ? thingOf(entry) : { name: entry.action, href: null };
  return <Name text={name} href={href} />;
}

function Actor({ entry }: { readonly entry: AuditEntry }) {
  const { by, iss } = entry;
  if (by !== null) return <PersonLink person={by} as="by" entry={entry} />;
  return <Name text={actorName(iss)} href={`/admin/audit?iss=${encodeURIComponent(iss)}`} />;
}

type PersonLinkProps = {
  readonly person: Person;
  /** Whether the entry is about the person, or the person acted. */
  readonly as: "for" | "by";
  readonly entry: AuditEntry;
};

/**
 * A deleted person has entries, but no page. In the entry of the deletion itself the name needs no
 * "(deleted)".
 */
function PersonLink({ person, as, entry: { action } }: PersonLinkProps) {
  if (!person.deleted) return <Name text={personName(person)} href={`/admin/users/${person.id}`} />;
  const isDeletion = action === "user.delete" && as === "for";
  const text = personName(isDeletion ? { ...person, deleted: false } : person);
  return <Name text={text} href={`/admin/audit?${as}=${person.id}`} />;
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
function Details({ entry: { action, detail } }: { readonly entry: AuditEntry }) {
  const { old, new: now, ...others } = detail as Detail;
  const valueOf = (name: string, value: unknown) => valueText(name, value, action);
  const [before, after] = [fieldsOf(old), fieldsOf(now)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  if (names.size === 0 && Object.keys(others).length === 0) return null;
  return (
    <details class="folded">
      <summary>{words.value.staff.details}</summary>
      <ul class="values">
        {[...names].map((name) => (
          <li key={name}>
            <span class="soft">{fieldName(name, action)}</span>{" "}
            {name in before && name in after ? (
              <>
                <del dir="auto">{valueOf(name, before[name])}</del>{" "}
                <ins dir="auto">{valueOf(name, after[name])}</ins>
              </>
            ) : (
              <span dir="auto">{valueOf(name, name in after ? after[name] : before[name])}</span>
            )}
          </li>
        ))}
        {Object.entries(others).map(([name, value]) => (
          <li key={name}>
            <span class="soft">{fieldName(name, action)}</span> <span dir="auto">{valueOf(name, value)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
