import { community } from "../api/community.ts";
import { level, session } from "../api/session.ts";
import { words } from "../words/language.ts";
import { GoTo } from "./go-to.tsx";
import { MemberMenu } from "./member-menu.tsx";
import { Navigation, type NavLink } from "./navigation.tsx";
import { memberSections } from "./sections.ts";

/** A name of so many characters has smaller ones, so that two lines hold it on a telephone. */
const longFrom = 30;

/** The top of every page: the community, and where the person may go. */
export function Header() {
  const { shell } = words.value;
  return (
    <header class="header">
      <a class="brand" href="/">
        {community.logo && <img src="/console/logo" alt="" width="32" height="32" />}
        <span dir="auto" class={community.name.length > longFrom ? "brand-long" : undefined}>
          {community.name}
        </span>
      </a>
      <Navigation label={shell.main} links={links()} />
      <div class="header-actions">
        <GoTo />
        <MemberMenu />
      </div>
    </header>
  );
}

function links(): readonly NavLink[] {
  const { shell } = words.value;
  const ofGuests = [
    { path: "/login", text: shell.signIn },
    { path: "/register", text: shell.register },
  ];
  if (level.value === 0) return session.value.state === "asking" ? [] : ofGuests;
  const ofMembers = memberSections.map(({ name, path }) => ({ path, text: shell[name] }));
  const ofStaff = { path: "/admin", text: shell.administration, within: true };
  return level.value < 2 ? ofMembers : [...ofMembers, ofStaff];
}
