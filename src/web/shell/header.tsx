import { useLocation } from "preact-iso";
import { community } from "../api/community.ts";
import { level, member, session, signOut } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { words } from "../words/language.ts";
import { GoTo } from "./go-to.tsx";
import { say, sayBad, settle } from "./messages.tsx";
import { Navigation, type NavLink } from "./navigation.tsx";
import { memberSections } from "./sections.ts";

/** The top of every page: the community, and where the person may go. */
export function Header() {
  const { shell } = words.value;
  return (
    <header class="header">
      <a class="brand" href="/">
        {community.logo && <img src="/console/logo" alt="" width="32" height="32" />}
        <span dir="auto">{community.name}</span>
      </a>
      <Navigation label={shell.main} links={links()} />
      <div class="header-actions">
        <GoTo />
        {member.value !== null && <SignOut />}
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

function SignOut() {
  const { route } = useLocation();
  const leave = async () => {
    const { shell } = words.peek();
    // What waits belongs to this session.
    await settle();
    if (!(await signOut())) return sayBad(shell.unreachable);
    route("/");
    say(shell.signedOut);
  };
  return <Button onClick={leave}>{words.value.shell.signOut}</Button>;
}
