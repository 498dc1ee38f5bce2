import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { community } from "../../api/community.ts";
import type { components } from "../../api/types.ts";
import { Select } from "../../parts/form.tsx";
import { Empty, Skeleton } from "../../parts/load.tsx";
import { Listing, pageQuery, usePages } from "../../parts/pages.tsx";
import { SearchBox, useSearch } from "../../parts/search-box.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { showAgo, showDay } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { AdminPage, keyFor } from "./admin-page.tsx";
import { Head, LevelText, MailState, nameOf } from "./people.tsx";

type User = Pick<
  components["schemas"]["User"],
  "id" | "username" | "mail" | "mail_verify" | "uuid" | "perms" | "perms_expires_at" | "created" | "last_seen"
>;

const sorts = ["newest", "name", "seen"] as const;
type Sort = (typeof sorts)[number];
const defaultSort: Sort = "newest";

/** The order that the address asks for. */
function readSort(text = ""): Sort {
  return sorts.find((sort) => sort === text) ?? defaultSort;
}

/** Everybody with an account. */
export function Users() {
  const { admin, shell, staff } = words.value;
  const { path, query, route } = useLocation();
  const search = useSearch();
  const sort = readSort(query["sort"]);
  const pages = usePages(search === null ? null : keyFor(2, JSON.stringify([sort, search])), (after) =>
    ask(
      api.GET("/api/admin/users", {
        params: { query: { ...pageQuery(null, search), ...(after !== null && { after }), order: sort } },
      }),
    ),
  );
  const sortBy = (chosen: string) => {
    const { sort: _, ...others } = query;
    const next = chosen === defaultSort ? others : { ...others, sort: chosen };
    const given = new URLSearchParams(next).toString();
    route(given === "" ? path : `${path}?${given}`);
  };
  return (
    <AdminPage heading={shell.staffSections.users}>
      <p class="soft">{community.has_mail ? admin.howToJoin : admin.howToJoinByFile}</p>
      <div class="list-head">
        <SearchBox label={admin.searchUsers} />
        <Select
          label={staff.sort}
          name="sort"
          value={sort}
          options={sorts.map((value) => ({ value, text: staff.sorts[value] }))}
          onChange={sortBy}
        />
      </div>
      {search !== null && (
        <Listing
          pages={pages}
          skeleton={<Skeleton kind="row" count={12} />}
          empty={<Empty text={admin.noUsers} />}
        >
          {(rows) => (
            <Table label={shell.staffSections.users} columns={columns()} rows={rows} keyOf={({ id }) => id} />
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
    {
      head: admin.lastSeen,
      cell: ({ last_seen }) => (last_seen === null ? admin.never : showAgo(last_seen)),
    },
  ];
}
