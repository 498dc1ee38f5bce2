import type { RefObject } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import { community } from "../api/community.ts";
import { level, member, session, signOut } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { words } from "../words/language.ts";
import { GoTo } from "./go-to.tsx";
import { say, sayBad, settle } from "./messages.tsx";

/** The top of every page: the community, and where the person may go. */
export function Header() {
  const { shell } = words.value;
  const nav = useHereInView();
  return (
    <header class="header">
      <a class="brand" href="/">
        {community.logo && <img src="/console/logo" alt="" width="32" height="32" />}
        <span dir="auto">{community.name}</span>
      </a>
      <nav ref={nav} class="nav nav-links" aria-label={shell.main}>
        {links().map(({ path, text }) => (
          <NavLink key={path} path={path} text={text} within={path === "/admin"} />
        ))}
      </nav>
      <div class="header-actions">
        <GoTo />
        {member.value !== null && <SignOut />}
      </div>
    </header>
  );
}

function links(): readonly { readonly path: string; readonly text: string }[] {
  const { shell } = words.value;
  const ofGuests = [
    { path: "/login", text: shell.signIn },
    { path: "/register", text: shell.register },
  ];
  if (level.value === 0) return session.value.state === "asking" ? [] : ofGuests;
  const ofMembers = [
    { path: "/home", text: shell.wardrobe },
    { path: "/home/capes", text: shell.capes },
    { path: "/home/account", text: shell.account },
  ];
  return level.value < 2 ? ofMembers : [...ofMembers, { path: "/admin", text: shell.administration }];
}

/** For a navigation that is a row which scrolls on a phone: shows the link of the page that is shown. */
export function useHereInView(): RefObject<HTMLElement | null> {
  const { path } = useLocation();
  const nav = useRef<HTMLElement>(null);
  const known = level.value;
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (here && nav.current) nav.current.scrollLeft = here.offsetLeft - nav.current.clientWidth / 3;
  }, [path, known]);
  return nav;
}

/** A link of a navigation; the page that is shown is marked. */
export function NavLink({
  path,
  text,
  within = false,
}: {
  readonly path: string;
  readonly text: string;
  readonly within?: boolean;
}) {
  const { path: shown } = useLocation();
  const isHere = shown === path || (within && shown.startsWith(`${path}/`));
  return (
    <a href={path} aria-current={isHere ? "page" : undefined}>
      {text}
    </a>
  );
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
