/**
 * Keeps the focus near after a change that removed the button with the focus: on the part that it was in,
 * whose `tabIndex` is -1, else on the page. Otherwise the keyboard would begin at the top again. No other
 * button gets it: a second press of the key would do more than was meant.
 */
export function keepFocus(part: HTMLElement | null = null): void {
  // By then the page is drawn without the button.
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const near = part?.isConnected === true ? part : document.querySelector<HTMLElement>("main");
    near?.focus({ preventScroll: true });
  });
}
