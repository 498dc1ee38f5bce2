import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
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
    if (here && nav.current)
      nav.current.scrollLeft = here.offsetLeft - (nav.current.clientWidth - here.offsetWidth) / 2;
  }, [shown, links.length]);
  useMoreMarks(nav);
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

/** Marks the ends of a row beyond which there is more: they fade, so that it is seen to scroll. */
function useMoreMarks(row: RefObject<HTMLElement | null>): void {
  const mark = () => {
    const { scrollLeft = 0, clientWidth = 0, scrollWidth = 0 } = row.current ?? {};
    row.current?.toggleAttribute("data-more-before", scrollLeft > 1);
    row.current?.toggleAttribute("data-more-after", scrollLeft + clientWidth < scrollWidth - 1);
  };
  // Its links, and their language, change with what is drawn.
  useLayoutEffect(mark);
  useEffect(() => {
    const shown = row.current;
    if (shown === null) return;
    const sizes = new ResizeObserver(mark);
    sizes.observe(shown);
    shown.addEventListener("scroll", mark, { passive: true });
    return () => {
      sizes.disconnect();
      shown.removeEventListener("scroll", mark);
    };
  }, [row]);
}
