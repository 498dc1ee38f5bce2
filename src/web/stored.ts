/**
 * What the browser keeps: `localStorage` between visits, `sessionStorage` in this tab. Some browsers refuse
 * both; then nothing is kept.
 */
type Place = "localStorage" | "sessionStorage";

/** Null for what is not kept. */
export function readStored(key: string, place: Place = "localStorage"): string | null {
  try {
    return window[place].getItem(key);
  } catch {
    return null;
  }
}

/** Null removes it. */
export function store(key: string, value: string | null, place: Place = "localStorage"): void {
  try {
    if (value === null) window[place].removeItem(key);
    else window[place].setItem(key, value);
  } catch {
    // What was chosen holds until the page is left.
  }
}
