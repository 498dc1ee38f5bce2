import { useEffect, useRef } from "preact/hooks";

/**
 * Makes an element the target of links with `#<id>`. Browsers do not find elements that appear after the page
 * was opened, so the element scrolls into view and takes the focus itself. It needs a `tabIndex` of -1.
 */
export function useAnchor<Target extends HTMLElement>(id: string) {
  const target = useRef<Target>(null);
  useEffect(() => {
    if (location.hash !== `#${id}`) return;
    target.current?.scrollIntoView();
    target.current?.focus({ preventScroll: true });
  }, [id]);
  return { id, ref: target, tabIndex: -1 };
}
