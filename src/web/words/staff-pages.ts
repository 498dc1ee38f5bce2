import { computed } from "@preact/signals";
import { staffWords, words as everyPage } from "./language.ts";

/**
 * The messages of pages for staff, beside those of every page. The router loads them together with such a
 * page.
 */
export const words = computed(() => {
  if (staffWords.value === null) throw new Error("This page is no staffPage in shell/routes.tsx");
  return { ...everyPage.value, ...staffWords.value };
});
