/** A figure that may move by itself, and may have to wait. */
export type Actor = { readonly goOn: () => void };

/**
 * Figures in the order in which they came. Only the newest moves by itself: a dialog's figure stops the
 * page's.
 */
const actors: Actor[] = [];

/** Lets a figure come in front of the others. */
export function enterStage(actor: Actor): void {
  actors.push(actor);
}

/** Takes a figure away; the one that came before it goes on. */
export function leaveStage(actor: Actor): void {
  const at = actors.indexOf(actor);
  if (at >= 0) actors.splice(at, 1);
  actors.at(-1)?.goOn();
}

/** Whether a figure is the newest. */
export function isInFront(actor: Actor): boolean {
  return actors.at(-1) === actor;
}
