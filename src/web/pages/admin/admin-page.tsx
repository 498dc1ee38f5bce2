import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { level, session } from "../../api/session.ts";
import { NavLink } from "../../shell/header.tsx";
import { Page, type PageProps } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { sections } from "./sections.ts";

/** A page for staff, beside the navigation over those that this person may open. Its place is kept while the level is not known. */
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

/** The key by which a page of this level loads; null, which waits, for people of a lower one: the server would refuse them. */
export function keyFor(least: 2 | 3, key: string): string | null {
  return level.value >= least ? key : null;
}

function Sections() {
  const { admin, shell } = words.value;
  const { path } = useLocation();
  const nav = useRef<HTMLElement>(null);
  // On a phone the navigation is a row that scrolls.
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (here && nav.current) nav.current.scrollLeft = here.offsetLeft - nav.current.clientWidth / 3;
  }, [path]);
  return (
    <nav ref={nav} class="admin-nav nav-links" aria-label={shell.administration}>
      {sections
        .filter((section) => section.level <= level.value)
        .map((section) => (
          <NavLink
            key={section.path}
            path={section.path}
            text={admin.sections[section.name]}
            within={section.path !== "/admin"}
          />
        ))}
    </nav>
  );
}
