import { useId, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import type { Result } from "../../api/problem.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Combobox, type Choice } from "../../parts/combobox.tsx";
import { Select } from "../../parts/form.tsx";
import { useLoad } from "../../parts/load.tsx";
import { fromDayField, startOfDay, toDayField } from "../../parts/moments.ts";
import { words } from "../../words/staff-pages.ts";
import { keyFor } from "./admin-page.tsx";
import { actionNames, actorName, personName } from "./audit-words.ts";
import { findUsers, nameOf } from "./people.tsx";

type Query = Readonly<Record<string, string>>;

/** The filters in an address. `days` counts back from today, and replaces `since` and `until`. */
const filterNames = ["for", "by", "iss", "action", "since", "until", "days"] as const;

/** The filters of the address as the API takes them, without invalid numbers and times. */
export function readFilters(query: Query) {
  const { iss = "", action = "", days = "" } = query;
  const [about, by] = [numberOf(query["for"]), numberOf(query["by"])];
  const since = isDays(days) ? startOfDay(Number(days) - 1) : secondsOf(query["since"]);
  const until = isDays(days) ? null : secondsOf(query["until"]);
  return {
    ...(about !== null && { for: about }),
    ...(by !== null && { by }),
    ...(iss !== "" && { iss }),
    ...(action !== "" && { action }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
  };
}

function numberOf(text = ""): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

function secondsOf(text = ""): number | null {
  return /^\d{1,11}$/.test(text) ? Number(text) : null;
}

const isDays = (text: string) => /^[1-9]\d{0,2}$/.test(text);

type Change = Readonly<Partial<Record<(typeof filterNames)[number], string | null>>>;

/** Fields that each change the address at once. */
export function AuditFilters() {
  const { records, staff } = words.value;
  const { path, query, route } = useLocation();
  const change = (changes: Change) => {
    const next = Object.entries({ ...query, ...changes }).flatMap(([name, value]) =>
      typeof value === "string" && value !== "" ? [[name, value]] : [],
    );
    const search = new URLSearchParams(next).toString();
    route(search === "" ? path : `${path}?${search}`);
  };
  const { action = "" } = query;
  const actions = actionNames();
  const isKnown = action === "" || actions.some(({ value }) => value === action);
  const isFiltered = filterNames.some((name) => query[name] !== undefined);
  return (
    <div class="filters" role="search" aria-label={records.filters}>
      <ActorFilter query={query} onChange={change} />
      <Select
        label={records.what}
        name="action"
        value={action}
        options={[
          { value: "", text: staff.allActions },
          ...(isKnown ? [] : [{ value: action, text: action }]),
          ...actions,
        ]}
        onChange={(value) => change({ action: value })}
      />
      <PersonFilter query={query} onChange={change} />
      <Period query={query} onChange={change} />
      {isFiltered && (
        <div class="form-actions">
          <ButtonLink href={path}>{staff.clearFilters}</ButtonLink>
        </div>
      )}
    </div>
  );
}

type FilterProps = { readonly query: Query; readonly onChange: (change: Change) => void };

/** Who acted: a user, or an actor without an account. */
function ActorFilter({ query, onChange }: FilterProps) {
  const { records, staff } = words.value;
  const { iss = "" } = query;
  const person = useChosenPerson("by", query["by"]);
  const chosen = iss === "" ? person : [{ value: actorPrefix + iss, text: actorName(iss) }];
  const find = async (text: string): Promise<Result<readonly Choice[]>> => {
    const asked = text.trim().toLocaleLowerCase();
    const others = Object.entries(staff.actors)
      .filter(([, name]) => name.toLocaleLowerCase().includes(asked))
      .map(([value, name]) => ({ value: actorPrefix + value, text: name }));
    const found = await findUsers(text);
    return found.ok ? { ok: true, body: [...others, ...found.body] } : found;
  };
  return (
    <Combobox
      label={records.who}
      help={staff.people}
      find={find}
      chosen={chosen}
      onChoose={({ value }) =>
        onChange(
          value.startsWith(actorPrefix)
            ? { iss: value.slice(actorPrefix.length), by: null }
            : { by: value, iss: null },
        )
      }
      onRemove={() => onChange({ by: null, iss: null })}
    />
  );
}

/** Values of choices that are no user's number. */
const actorPrefix = "iss ";

function PersonFilter({ query, onChange }: FilterProps) {
  const { records, staff } = words.value;
  return (
    <Combobox
      label={records.forWhom}
      help={staff.people}
      find={findUsers}
      chosen={useChosenPerson("for", query["for"])}
      onChoose={({ value }) => onChange({ for: value })}
      onRemove={() => onChange({ for: null })}
    />
  );
}

/**
 * The person with the number that the address has, as a choice; by the number alone until the name is known.
 */
function useChosenPerson(as: "for" | "by", text: string | undefined): readonly Choice[] {
  const id = numberOf(text);
  const load = useLoad(id === null ? null : keyFor(2, `person ${as} ${id}`), () => findName(as, id ?? 0));
  if (id === null) return [];
  const name = load.now.state === "ready" ? load.now.data : words.value.admin.userNumber(id);
  return [{ value: String(id), text: name }];
}

/** The name of the user with this number. Entries know the names of deleted users. */
async function findName(as: "for" | "by", id: number): Promise<Result<string>> {
  // The list also answers for the number of a deleted user; the user's own address would fail.
  const users = await ask(
    api.GET("/api/admin/users", { params: { query: { q: String(id), limit: 8, count: 1 } } }),
  );
  if (!users.ok) return users;
  const user = users.body.data.find((one) => one.id === id);
  if (user !== undefined) return { ok: true, body: nameOf(user) };
  const query = { [as]: id, limit: 1, count: 1 };
  const entries = await ask(api.GET("/api/admin/audit", { params: { query } }));
  if (!entries.ok) return entries;
  const [entry] = entries.body.data;
  const person = as === "for" ? entry?.about : entry?.by;
  return { ok: true, body: person ? personName(person) : words.peek().admin.userNumber(id) };
}

const daysOf = { today: "1", week: "7", month: "30" } as const;

/** A range of days: a common one, or from one day to another. */
function Period({ query, onChange }: FilterProps) {
  const { records, staff } = words.value;
  const [isFree, setFree] = useState(false);
  const { since, until } = readFilters(query);
  const named = Object.entries(daysOf).find(([, days]) => days === query["days"])?.[0];
  const isBounded = since !== undefined || until !== undefined;
  const value = named ?? (isFree || isBounded ? "free" : "all");
  const choose = (period: string) => {
    setFree(period === "free");
    const days = Object.entries(daysOf).find(([name]) => name === period)?.[1] ?? null;
    // The range that was shown stays, as the start of a free choice.
    const from = period === "free" && since !== undefined ? String(since) : null;
    onChange({ days, since: from, until: null });
  };
  return (
    <>
      <Select
        label={staff.period}
        name="period"
        value={value}
        options={Object.entries(staff.periods).map(([period, text]) => ({ value: period, text }))}
        onChange={choose}
      />
      {value === "free" && (
        <>
          <DayField
            label={records.since}
            value={since ?? null}
            which="first"
            onChange={(at) => onChange({ since: at, days: null })}
          />
          <DayField
            label={records.until}
            value={until ?? null}
            which="last"
            onChange={(at) => onChange({ until: at, days: null })}
          />
        </>
      )}
    </>
  );
}

type DayFieldProps = {
  readonly label: string;
  /** Unix seconds. */
  readonly value: number | null;
  /** Which second of the day is meant. */
  readonly which: "first" | "last";
  readonly onChange: (seconds: string | null) => void;
};

function DayField({ label, value, which, onChange }: DayFieldProps) {
  const id = useId();
  const take = (text: string) => {
    const seconds = fromDayField(text, which);
    if (text === "") onChange(null);
    else if (seconds !== null) onChange(String(seconds));
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="date"
        value={toDayField(value)}
        onChange={({ currentTarget }) => take(currentTarget.value)}
      />
    </div>
  );
}
