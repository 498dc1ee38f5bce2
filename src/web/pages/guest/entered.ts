/**
 * What was entered in this tab on the way through registration or reset, so that the next page needs not ask for it again. It is
 * kept in memory alone, and gone with the tab.
 */
export type Entered = { readonly mail: string; readonly password: string };

let kept: Entered | null = null;

export function keepEntered(entered: Entered): void {
  kept = entered;
}

export function readEntered(): Entered | null {
  return kept;
}

export function forgetEntered(): void {
  kept = null;
}
