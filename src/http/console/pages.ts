/** A page of the console. */
export type ConsolePage = {
  /** As the router has it. */
  readonly path: string;
  /** The module of `src/web` that draws it, which is loaded for this page alone. */
  readonly module: string;
  /** The words that it needs beside the shell's: `src/web/words/<language>/<area>.ts`. */
  readonly area: "guest" | "home" | "account" | "admin" | "setup";
};

/** The one list of the console's addresses on the server. The browser's routes are in `src/web/main.tsx`. */
export const consolePages: readonly ConsolePage[] = [
  ...at("guest", "guest", {
    "/": "landing",
    "/u/:name": "player",
    "/login": "login",
    "/register": "register",
    "/confirm": "confirm",
    "/registerfinish": "register-finish",
    "/forgetpass": "forget-password",
    "/resetpassword": "reset-password",
    "/social": "social",
  }),
  ...at("home", "home", { "/home": "wardrobe", "/home/capes": "capes" }),
  ...at("home", "account", { "/home/account": "account", "/home/mail": "mail" }),
  ...at("admin", "admin", {
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
  ...at("setup", "setup", { "/setup": "setup" }),
];

function at(
  folder: string,
  area: ConsolePage["area"],
  modules: Readonly<Record<string, string>>,
): readonly ConsolePage[] {
  return Object.entries(modules).map(([path, name]) => ({
    path,
    area,
    module: `pages/${folder}/${name}.tsx`,
  }));
}
