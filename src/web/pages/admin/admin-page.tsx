import { level, session } from "../../api/session.ts";
import { Navigation } from "../../shell/navigation.tsx";
import { Page, type PageProps } from "../../shell/page.tsx";
import { staffSections } from "../../shell/sections.ts";
import { words } from "../../words/staff-pages.ts";

/**
 * A page for staff beside a navigation over the pages that this person may open. Its place is kept until the
 * level is known.
 */
export function AdminPage({ level: needed = 2, ...page }: PageProps) {
  const isAsking = session.value.state === "asking";
  const mayOpen = level.value >= needed;
  return (
    <div class={mayOpen || isAsking ? "admin" : undefined}>
      {mayOpen ? <Sections /> : isAsking && <div class="admin-nav" />}
      <Page level={needed} {...page} />
    </div>
  );
}

/**
 * The key with which a page of this level loads. Null, which waits, for people of a lower level: the server
 * would refuse.
 */
export function keyFor(least: 2 | 3, key: string): string | null {
  return level.value >= least ? key : null;
}

function Sections() {
  const { shell } = words.value;
  const links = staffSections
    .filter((section) => section.level <= level.value)
    .map(({ path, name }) => ({ path, text: shell.staffSections[name], within: path !== "/admin" }));
  return <Navigation isColumn label={shell.administration} links={links} />;
}
