import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { keepFile } from "../../api/download.ts";
import { level } from "../../api/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Empty, Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { counted, Listing, pageQuery, usePages } from "../../parts/pages.tsx";
import { showProblem } from "../../parts/problems.tsx";
import { sayBad } from "../../shell/messages.tsx";
import { words } from "../../words/staff-pages.ts";
import { AdminPage, keyFor } from "./admin-page.tsx";
import { AuditFilters, readFilters } from "./audit-filters.tsx";
import { AuditTable } from "./audit-table.tsx";

/** Who changed what, for whom and when. The filters stand in the address. */
export function Audit() {
  const { records, shell } = words.value;
  const { query } = useLocation();
  const filters = readFilters(query);
  const counting = Object.keys(filters).length > 0 && counted;
  const pages = usePages(keyFor(2, JSON.stringify(filters)), (after) =>
    ask(api.GET("/api/admin/audit", { params: { query: { ...pageQuery(after), ...filters, ...counting } } })),
  );
  return (
    <AdminPage heading={shell.staffSections.audit}>
      <Chain />
      <AuditFilters />
      {level.value >= 3 && <Export filters={filters} />}
      <Listing
        pages={pages}
        skeleton={<Skeleton kind="row" count={12} />}
        empty={<Empty text={records.noEntries} />}
      >
        {(rows) => <AuditTable label={shell.staffSections.audit} entries={rows} />}
      </Listing>
    </AdminPage>
  );
}

const formats = { csv: "CSV", jsonl: "JSON Lines" } as const;
type Format = keyof typeof formats;

/** Buttons that keep what the filters find as a file. */
function Export({ filters }: { readonly filters: ReturnType<typeof readFilters> }) {
  const { staff } = words.value;
  const [busy, setBusy] = useState<Format | null>(null);
  const keep = async (format: Format) => {
    setBusy(format);
    const query = { ...filters, format };
    const result = await ask(api.GET("/api/admin/audit/export", { params: { query }, parseAs: "blob" }));
    setBusy(null);
    if (result.ok) keepFile(result.body, result.response);
    else sayBad(showProblem(result.problem));
  };
  return (
    <div class="export" role="group" aria-label={staff.export}>
      {(["csv", "jsonl"] as const).map((format) => (
        <Button key={format} busy={busy === format} onClick={() => keep(format)}>
          {staff.exportAs(formats[format])}
        </Button>
      ))}
      <p class="soft small">{staff.exportHelp}</p>
    </div>
  );
}

/** Whether the entries are as they were written. */
function Chain() {
  const { records, staff } = words.value;
  const load = useLoad(keyFor(2, "chain"), () => ask(api.GET("/api/admin/audit/chain")));
  return (
    <section class="chain" aria-label={records.chain}>
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
              <details class="folded">
                <summary>{staff.newestHash}</summary>
                <p class="facts">
                  <span class="code">{data.hash}</span>
                  <CopyButton text={data.hash} label={records.copyHash} />
                </p>
                <p class="soft small">{records.hashHelp}</p>
              </details>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
