import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Empty, Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { fromField, toField } from "../../parts/moments.ts";
import { counted, Listing, pageQuery, usePages } from "../../parts/pages.tsx";
import { textOf } from "../../parts/form-data.ts";
import { Field } from "../../parts/form.tsx";
import { words } from "../../words/language.ts";
import { AdminPage, keyFor } from "./admin-page.tsx";
import { AuditTable } from "./audit-table.tsx";

/** Who changed what, for whom and when. The filters stand in the address. */
export function Audit() {
  const { admin, records } = words.value;
  const { query } = useLocation();
  const filters = readFilters(query);
  const key = JSON.stringify(filters);
  const counting = Object.keys(filters).length > 0 && counted;
  const pages = usePages(keyFor(2, key), (after) =>
    ask(api.GET("/api/admin/audit", { params: { query: { ...pageQuery(after), ...filters, ...counting } } })),
  );
  return (
    <AdminPage heading={admin.sections.audit}>
      <Chain />
      <Filters key={key} />
      <Listing
        pages={pages}
        skeleton={<Skeleton kind="row" count={12} />}
        empty={<Empty text={records.noEntries} />}
      >
        {(rows) => <AuditTable label={admin.sections.audit} entries={rows} />}
      </Listing>
    </AdminPage>
  );
}

type Query = Readonly<Record<string, string>>;

/** The filters of the address, as the API takes them. What is no number or time is dropped. */
function readFilters(query: Query) {
  const { for: account = "", iss = "", action = "" } = query;
  const [since, until] = [secondsOf(query["since"]), secondsOf(query["until"])];
  return {
    ...(/^[1-9]\d{0,14}$/.test(account) && { for: Number(account) }),
    ...(iss !== "" && { iss }),
    ...(action !== "" && { action }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
  };
}

function secondsOf(text = ""): number | null {
  return /^\d{1,11}$/.test(text) ? Number(text) : null;
}

/** A form whose fields become the address. */
function Filters() {
  const { admin, records } = words.value;
  const { path, query, route } = useLocation();
  const show = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const texts = ["for", "iss", "action"].map((name) => [name, textOf(form, name).trim()] as const);
    const times = ["since", "until"].map(
      (name) => [name, String(fromField(textOf(form, name)) ?? "")] as const,
    );
    const given = [...texts, ...times].filter(([, value]) => value !== "");
    const search = new URLSearchParams(given.map(([name, value]) => [name, value])).toString();
    route(search === "" ? path : `${path}?${search}`);
  };
  return (
    <form class="filters" role="search" aria-label={records.filters} onSubmit={show}>
      <Field label={records.who} name="iss" value={query["iss"] ?? ""} isFree />
      <Field label={records.what} name="action" value={query["action"] ?? ""} isFree />
      <Field
        label={records.forNumber}
        name="for"
        value={query["for"] ?? ""}
        inputMode="numeric"
        pattern="[0-9]*"
        isFree
      />
      <Field
        label={records.since}
        name="since"
        type="datetime-local"
        value={toField(secondsOf(query["since"]))}
        isFree
      />
      <Field
        label={records.until}
        name="until"
        type="datetime-local"
        value={toField(secondsOf(query["until"]))}
        isFree
      />
      <div class="form-actions">
        <Button type="submit">{records.filter}</Button>
        {Object.keys(query).length > 0 && <ButtonLink href={path}>{admin.all}</ButtonLink>}
      </div>
    </form>
  );
}

/** Whether the entries are as they were written. */
function Chain() {
  const { records } = words.value;
  const load = useLoad(keyFor(2, "chain"), () => ask(api.GET("/api/admin/audit/chain")));
  return (
    <section class="card panel chain" aria-label={records.chain}>
      <Loaded load={load} skeleton={<Skeleton kind="line" count={2} />}>
        {({ data }) => (
          <>
            <p class="facts">
              {data.intact ? (
                <Badge mood="good" text={records.chainIntact} />
              ) : (
                <Badge mood="bad" text={records.chainBroken} />
              )}
              <span>{records.entries(data.entries)}</span>
            </p>
            {data.broken_at !== null && (
              <p class="problem">{records.brokenAt(data.broken_at, data.problem ?? "")}</p>
            )}
            {data.hash !== "" && (
              <>
                <p class="facts">
                  <span class="code">{data.hash}</span>
                  <CopyButton text={data.hash} label={records.copyHash} />
                </p>
                <p class="soft small">{records.hashHelp}</p>
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
