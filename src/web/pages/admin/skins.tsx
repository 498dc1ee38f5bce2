import { api, ask } from "../../api/client.ts";
import { Empty, Skeleton } from "../../parts/load.tsx";
import { Listing, pageQuery, usePages } from "../../parts/pages.tsx";
import { SearchBox, useSearch } from "../../parts/search-box.tsx";
import { showDay } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { AdminPage, keyFor } from "./admin-page.tsx";
import { Bans } from "./bans.tsx";
import { SkinCard, useSkinDialog } from "./skin-card.tsx";

/** Everybody's skins, the newest first, and the bitmaps that are banned. */
export function Skins() {
  const { admin, home, shell } = words.value;
  const search = useSearch();
  const skins = usePages(search === null ? null : keyFor(2, search), (after) =>
    ask(api.GET("/api/admin/skins", { params: { query: { ...pageQuery(after, search), order: "newest" } } })),
  );
  const bans = usePages(keyFor(2, "bans"), (after) =>
    ask(api.GET("/api/admin/bans", { params: { query: pageQuery(after) } })),
  );
  const { ask: askAbout, dialog } = useSkinDialog(async () => {
    await Promise.all([skins.reload(), bans.reload()]);
  });
  return (
    <AdminPage heading={shell.staffSections.skins}>
      <SearchBox label={home.search} />
      {search !== null && (
        <Listing
          pages={skins}
          skeleton={<Skeleton kind="card" count={3} />}
          empty={<Empty text={search === "" ? admin.noSkins : home.noMatch} />}
        >
          {(rows) => (
            <ul class="cards" aria-label={shell.staffSections.skins}>
              {rows.map((skin) => (
                <SkinCard key={skin.uuid} skin={skin} heading="h2" note={null} onAsk={askAbout}>
                  <p class="card-facts">
                    <a href={`/admin/users/${skin.for}`} dir="auto">
                      {skin.iss || admin.userNumber(skin.for)}
                    </a>{" "}
                    · {showDay(skin.time)}
                  </p>
                </SkinCard>
              ))}
            </ul>
          )}
        </Listing>
      )}
      <Bans pages={bans} />
      {dialog}
    </AdminPage>
  );
}
