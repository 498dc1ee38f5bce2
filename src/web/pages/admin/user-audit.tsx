import { api, ask } from "../../api/client.ts";
import { Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { words } from "../../words/language.ts";
import { AuditTable } from "./audit-table.tsx";
import type { UserPart } from "./user-part.ts";

const rowsShown = 10;

/** The latest changes that concern a person. */
export function UserAudit({ user }: UserPart) {
  const { admin } = words.value;
  const load = useLoad(`audit ${JSON.stringify(user)}`, () =>
    ask(api.GET("/api/admin/audit", { params: { query: { for: user.Id, limit: rowsShown, count: 1 } } })),
  );
  return (
    <section>
      <div class="page-head">
        <h2>{admin.sections.audit}</h2>
        <a href={`/admin/audit?for=${user.Id}`}>{admin.allEntries}</a>
      </div>
      <Loaded load={load} skeleton={<Skeleton kind="row" count={4} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="soft">{admin.noEntries}</p>
          ) : (
            <AuditTable label={admin.sections.audit} entries={data} />
          )
        }
      </Loaded>
    </section>
  );
}
