import type { Language } from "../../domain/model/mail.ts";

/**
 * The modules that a page asks for after its first script, as the manifest names them. Staff pages have
 * further words.
 */
export function modulesOf(module: string | null, language: Language): readonly string[] {
  const words = `words/${language.toLowerCase()}`;
  if (module === null) return [`${words}/pages.ts`];
  const forStaff = /^(?:admin|setup)\//.test(module) ? [`${words}/staff-pages.ts`] : [];
  return [`${words}/pages.ts`, ...forStaff, `web/pages/${module}.tsx`];
}
