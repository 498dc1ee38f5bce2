import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { community } from "../api/community.ts";
import { isUnnamed, level, session } from "../api/session.ts";
import { words } from "../words/language.ts";
import { Unreachable } from "../parts/problems.tsx";
import { Leaving } from "./leaving.tsx";

/** A page: its heading, its title, and who may see it. */
export type PageProps = {
  /** The one heading of the first level. */
  readonly heading: string;
  /**
   * The least level in force that may see it; 0: everyone. Members of a lower level read that they may not,
   * guests sign in.
   */
  readonly level?: number;
  /** What stands beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
};

let isFirst = true;

/**
 * Draws a page. On navigation the focus goes to `main`, so that screen readers begin there, and the title
 * names the page and the community.
 */
export function Page({ heading, level: needed = 0, actions, children }: PageProps) {
  const { path } = useLocation();
  // Before anything else runs: what reads the page finds the heading, its title and the focus together.
  useLayoutEffect(() => {
    if (!isFirst) document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
    isFirst = false;
  }, [path]);
  const access = accessTo(needed);
  const title = access === "refused" ? words.value.shell.noRights : heading;
  useLayoutEffect(() => {
    document.title = title === community.name ? title : `${title} · ${community.name}`;
  }, [title]);
  if (access === "sign-in") return <ToSignIn />;
  if (access === "refused") return <NoRights />;
  if (access === "finish") return <ToFinish />;
  return (
    <div class="page">
      <div class="page-head">
        <h1 dir="auto">{heading}</h1>
        {actions}
      </div>
      {needed === 1 && <Leaving />}
      {access === "unknown" ? <Unreachable /> : children}
    </div>
  );
}

function accessTo(needed: number): "granted" | "refused" | "sign-in" | "finish" | "unknown" {
  if (needed === 0) return "granted";
  if (isUnnamed.value) return "finish";
  const { state } = session.value;
  if (state === "guest") return "sign-in";
  if (state === "unreachable") return "unknown";
  // Nothing is known of this person yet: the page waits with what it shows.
  if (state === "asking" && level.value === 0) return "granted";
  return level.value >= needed ? "granted" : "refused";
}

/**
 * Guests of a members' page sign in, and come back. A page that is left already, as after a sign-out, leads
 * nowhere.
 */
function ToSignIn() {
  const { url, route } = useLocation();
  const asked = useRef(url);
  useEffect(() => {
    if (location.pathname + location.search !== asked.current) return;
    route(`/login?next=${encodeURIComponent(asked.current)}`, true);
  }, [route]);
  return null;
}

/** A member without a name yet chooses one first: the API refuses everything else. */
function ToFinish() {
  const { route } = useLocation();
  useEffect(() => route("/registerfinish", true), [route]);
  return null;
}

function NoRights() {
  const { shell } = words.value;
  return (
    <div class="page">
      <h1>{shell.noRights}</h1>
      <p>{shell.noRightsHelp}</p>
      <p>
        <a href="/home">{shell.wardrobe}</a>
      </p>
    </div>
  );
}
