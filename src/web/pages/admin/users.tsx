import { api, ask } from "../../api/client.ts";
import { community } from "../../api/community.ts";
import type { components } from "../../api/types.ts";
import { Empty, Skeleton } from "../../parts/load.tsx";
import { Listing, pageQuery, usePages } from "../../parts/pages.tsx";
import { SearchBox, useSearch } from "../../parts/search-box.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { showDay } from "../../words/format.ts";
import { words } from "../../words/language.ts";
import { AdminPage, keyFor } from "./admin-page.tsx";
import { Head, LevelText, MailState, nameOf } from "./people.tsx";

type User = Pick<
  components["schemas"]["User"],
  "id" | "username" | "mail" | "mail_verify" | "uuid" | "perms" | "perms_expires_at" | "created"
>;

/** Everybody with an account. */
export function Users() {
  const { admin } = words.value;
  const search = useSearch();
  const pages = usePages(search === null ? null : keyFor(2, search), (after) =>
    ask(api.GET("/api/admin/users", { params: { query: pageQuery(after, search) } })),
  );
  return (
    <AdminPage heading={admin.sections.users}>
      <p class="soft">{community.has_mail ? admin.howToJoin : admin.howToJoinByFile}</p>
      <SearchBox label={admin.searchUsers} />
      {search !== null && (
        <Listing
          pages={pages}
          skeleton={<Skeleton kind="row" count={12} />}
          empty={<Empty text={admin.noUsers} />}
        >
          {(rows) => (
            <Table label={admin.sections.users} columns={columns()} rows={rows} keyOf={({ id }) => id} />
          )}
        </Listing>
      )}
    </AdminPage>
  );
}

function columns(): readonly Column<User>[] {
  const { admin, shell } = words.value;
  return [
    {
      head: admin.name,
      cell: (user) => (
        <span class="person">
          <Head uuid={user.username === "" ? null : user.uuid} size={28} />
          <a href={`/admin/users/${user.id}`} dir="auto">
            {nameOf(user)}
          </a>
        </span>
      ),
    },
    {
      head: shell.mail,
      cell: (user) =>
        user.mail === "" ? (
          <span class="soft">{admin.none}</span>
        ) : (
          <span class="facts">
            <span>{user.mail}</span> {user.mail_verify === 0 && <MailState isVerified={false} />}
          </span>
        ),
    },
    { head: admin.level, cell: (user) => <LevelText of={user} /> },
    { head: admin.created, cell: (user) => showDay(user.created) },
  ];
}
