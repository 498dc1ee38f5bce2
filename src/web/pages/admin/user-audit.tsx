import { api, ask } from "../../api/client.ts";
import { Skeleton } from "../../parts/load.tsx";
import { counted, Listing, pageQuery, usePages } from "../../parts/pages.tsx";
import { words } from "../../words/staff-pages.ts";
import { AuditTable } from "./audit-table.tsx";
import type { UserPart } from "./user-part.ts";

/** The changes that concern a person, the latest first. */
export function UserAudit({ user }: UserPart) {
  const { admin, shell, staff } = words.value;
  const pages = usePages(`audit ${JSON.stringify(user)}`, (after) =>
    ask(
      api.GET("/api/admin/audit", {
        params: { query: { ...pageQuery(after), for: user.Id, ...counted } },
      }),
    ),
  );
  return (
    <section>
      <div class="page-head">
        <h2>{shell.staffSections.audit}</h2>
        <a href={`/admin/audit?for=${user.Id}`}>{admin.allEntries}</a>
      </div>
      <Listing
        pages={pages}
        skeleton={<Skeleton kind="row" count={4} />}
        empty={<p class="soft">{admin.noEntries}</p>}
      >
        {(rows) => <AuditTable label={shell.staffSections.audit} entries={rows} />}
      </Listing>
      <p class="soft small">
        {staff.bulkElsewhere} <a href="/admin/audit?action=cape.give">{staff.actions["cape.give"].name}</a>
        {" · "}
        <a href="/admin/audit?action=cape.take">{staff.actions["cape.take"].name}</a>
      </p>
    </section>
  );
}
