import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";

export type NavLink = {
  readonly path: string;
  readonly text: string;
  /** Whether pages below its path are marked by it as well. */
  readonly within?: boolean;
};

type NavigationProps = {
  /** Whether it is a column on a desk. On a phone every navigation is a row that scrolls. */
  readonly isColumn?: boolean;
  readonly label: string;
  readonly links: readonly NavLink[];
};

/** Links to pages, of which the one that is shown is marked and in view. */
export function Navigation({ isColumn = false, label, links }: NavigationProps) {
  const { path: shown } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (here && nav.current) nav.current.scrollLeft = here.offsetLeft - nav.current.clientWidth / 3;
  }, [shown, links.length]);
  return (
    <nav ref={nav} class={isColumn ? "admin-nav nav-links" : "nav nav-links"} aria-label={label}>
      {links.map(({ path, text, within = false }) => {
        const isHere = shown === path || (within && shown.startsWith(`${path}/`));
        return (
          <a key={path} href={path} aria-current={isHere ? "page" : undefined}>
            {text}
          </a>
        );
      })}
    </nav>
  );
}
