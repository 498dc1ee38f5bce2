import type { Language } from "../../domain/model/mail.ts";

/** A page of the console. */
export type ConsolePage = {
  /** As the router has it. */
  readonly path: string;
  /** The module of `src/web` that draws it and is loaded for it alone. */
  readonly module: string;
};

/** The one list of the console's addresses on the server. The browser's routes are in `src/web/shell/routes.tsx`. */
export const consolePages: readonly ConsolePage[] = [
  ...inFolder("guest", {
    "/": "start",
    "/play": "play",
    "/u/:name": "player",
    "/login": "login",
    "/register": "register",
    "/confirm": "confirm",
    "/registerfinish": "register-finish",
    "/forgetpass": "forget-password",
    "/resetpassword": "reset-password",
    "/social": "social",
  }),
  ...inFolder("home", {
    "/home": "wardrobe",
    "/home/capes": "capes",
    "/home/account": "account",
    "/home/mail": "mail",
  }),
  ...inFolder("admin", {
    "/admin": "overview",
    "/admin/users": "users",
    "/admin/users/:id": "user",
    "/admin/skins": "skins",
    "/admin/capes": "capes",
    "/admin/audit": "audit",
    "/admin/mail": "mail",
    "/admin/outbox": "outbox",
    "/admin/services": "services",
  }),
  ...inFolder("setup", { "/setup": "setup" }),
];

/** Modules with the words of a page, which `src/web/words/language.ts` loads beside its own. */
export function wordsOf(module: string | null, language: Language): readonly string[] {
  const own = `words/${language.toLowerCase()}`;
  const isForStaff = /^pages\/(?:admin|setup)\//.test(module ?? "");
  return [`${own}.ts`, ...(isForStaff ? [`${own}/staff-pages.ts`] : [])];
}

function inFolder(folder: string, modules: Readonly<Record<string, string>>): readonly ConsolePage[] {
  return Object.entries(modules).map(([path, name]) => ({ path, module: `pages/${folder}/${name}.tsx` }));
}
