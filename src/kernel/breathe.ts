/** Lets all that waits for the event loop go first. A long work that is done in steps does this between them. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
