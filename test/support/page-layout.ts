import type { Page } from "playwright-core";

/**
 * Where a page loses text, one line each: text beyond the window, or beyond the button, card, cell or dialog
 * that it belongs to. Text that is cut on purpose, with an ellipsis, and what can be scrolled to are no
 * losses.
 */
export function lossesOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(script);
}

const script = `(() => {
  const lost = [];
  const width = document.documentElement.clientWidth;
  const over = document.documentElement.scrollWidth - width;
  if (over > 0) lost.push("the page is " + over + " px too wide");
  const root = document.querySelector("dialog[open]") ?? document.body;
  const frames = "button, .button, .card, li, td, th, dialog, fieldset, select, .message, .badge, nav > a";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const parent = node.parentElement;
    if (text === "" || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest(".heard, .skip, option, script, noscript, .combobox-list")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, width: wide } = range.getBoundingClientRect();
    if (wide === 0) continue;
    const problem = problemOf(parent, left, right);
    if (problem !== null) lost.push(problem + ": " + text.slice(0, 60));
  }
  return lost;

  function problemOf(element, left, right) {
    for (let box = element; box !== root.parentElement; box = box.parentElement) {
      const style = getComputedStyle(box);
      const rect = box.getBoundingClientRect();
      const isOut = right > rect.right + 1 || left < rect.left - 1;
      if (style.clipPath === "inset(50%)") return null;
      if (isOut && style.display !== "inline" && style.display !== "contents") {
        if (["auto", "scroll"].includes(style.overflowX)) return null;
        if (["hidden", "clip"].includes(style.overflowX)) return style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none" ? null : "cut by " + box.className;
        if (box.matches(frames)) return "out of " + box.localName + "." + box.className;
      }
    }
    return right > width + 1 || left < -1 ? "out of the window" : null;
  }
})()`;

/**
 * The words of headings, buttons, navigations and heads of tables that are broken within, without a hyphen:
 * one line each.
 */
export function brokenWordsOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(brokenWords);
}

const brokenWords = `(() => {
  const broken = [];
  const root = document.querySelector("dialog[open]") ?? document.body;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const label = node.parentElement.closest("h1, h2, h3, button, .button, th, nav a");
    if (label === null || !label.checkVisibility({ visibilityProperty: true })) continue;
    // A soft hyphen is for breaks. Chinese breaks between any two characters, and a name may be longer than a line.
    for (const { 0: word, index } of node.textContent.matchAll(/[\\p{L}\\p{M}\\u00ad]+/gu)) {
      if (word.length > 20 || word.includes("\\u00ad") || /\\p{Script=Han}/u.test(word)) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push("broken in " + label.localName + ": " + word);
    }
  }
  return broken;
})()`;
