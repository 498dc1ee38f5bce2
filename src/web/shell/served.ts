let served: Element | null = null;

/** Keeps what the server drew into the page. Called before the page's own script replaces it. */
export function keepServed(root: Element): void {
  served = root.firstElementChild;
}

/** The first part of what the server drew that fits; null where it drew no such part. */
export function findServed(selector: string): HTMLElement | null {
  return served?.querySelector<HTMLElement>(selector) ?? null;
}
