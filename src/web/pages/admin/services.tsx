import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import type { components } from "../../api/types.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Empty, Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { say } from "../../shell/messages.tsx";
import { showAgo, showDay, showList } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { AdminPage, keyFor } from "./admin-page.tsx";
import { NewToken } from "./new-token.tsx";

type Token = components["schemas"]["ServiceToken"];

type Asked = { readonly what: "add" } | { readonly what: "revoke"; readonly token: Token };

/** The tokens by which other programs act. */
export function Services() {
  const { records, shell } = words.value;
  const [asked, setAsked] = useState<Asked | null>(null);
  const load = useLoad(keyFor(3, "tokens"), () => ask(api.GET("/api/admin/tokens")));
  const close = () => setAsked(null);
  const revoke = async (name: string) => {
    const result = await ask(api.DELETE("/api/admin/tokens/{name}", { params: { path: { name } } }));
    if (!result.ok) return result.problem;
    close();
    say(records.revoked(name));
    await load.reload();
    return null;
  };
  const add = (
    <Button kind="main" onClick={() => setAsked({ what: "add" })}>
      {records.newToken}
    </Button>
  );
  return (
    <AdminPage heading={shell.staffSections.services} level={3} actions={add}>
      <p class="soft">{records.servicesHelp}</p>
      <Loaded load={load} skeleton={<Skeleton kind="row" count={4} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty text={records.noTokens} />
          ) : (
            <Table
              label={shell.staffSections.services}
              columns={columns((token) => setAsked({ what: "revoke", token }))}
              rows={data}
              keyOf={({ name }) => name}
            />
          )
        }
      </Loaded>
      {asked?.what === "add" && <NewToken onMade={load.reload} onClose={close} />}
      {asked?.what === "revoke" && (
        <FormDialog
          title={records.revokeThing(asked.token.name)}
          text={records.revokeHelp}
          button={records.revoke}
          onSubmit={() => revoke(asked.token.name)}
          onClose={close}
        />
      )}
    </AdminPage>
  );
}

function columns(onRevoke: (token: Token) => void): readonly Column<Token>[] {
  const { admin, records } = words.value;
  return [
    { head: admin.name, cell: ({ name }) => name },
    {
      head: records.rights,
      cell: ({ rights }) => showList(rights.map((right) => records.rightNames[right])),
    },
    {
      head: records.made,
      cell: ({ created }) => (created === null ? <Badge text={records.fromSettings} /> : showDay(created)),
    },
    {
      head: records.lastUsed,
      cell: ({ last_used }) => (last_used === null ? admin.never : showAgo(last_used)),
    },
    {
      head: records.action,
      cell: (token) =>
        !token.from_settings && (
          <Button kind="danger" label={records.revokeThing(token.name)} onClick={() => onRevoke(token)}>
            {records.revoke}
          </Button>
        ),
    },
  ];
}
