import type { Words } from "./en/pages.ts";
import type { StaffWords } from "./en/staff-pages.ts";

/**
 * A page of the console, as the server sends it. Its script draws it by the same path
 * (`src/web/shell/routes.tsx`).
 */
export type ConsolePage = {
  /** As the router has it. */
  readonly path: string;
  /** The module below `src/web/pages` that draws it, without its ending. It is loaded for this page alone. */
  readonly module: string;
  /**
   * The title of a page that people reach by a link from elsewhere. Until their script runs, other pages have
   * the community's name.
   */
  readonly title?: (words: Words & Pick<StaffWords, "setup">) => string;
};

/** The one list of the console's pages. */
export const consolePages = [
  { path: "/", module: "guest/start" },
  { path: "/play", module: "guest/play" },
  { path: "/u/:name", module: "guest/player" },
  { path: "/login", module: "guest/login", title: ({ shell }) => shell.signIn },
  { path: "/register", module: "guest/register", title: ({ guest }) => guest.register },
  { path: "/confirm", module: "guest/confirm", title: ({ guest }) => guest.confirmHeading },
  { path: "/registerfinish", module: "guest/register-finish", title: ({ guest }) => guest.finishHeading },
  { path: "/forgetpass", module: "guest/forget-password", title: ({ guest }) => guest.forgotHeading },
  { path: "/resetpassword", module: "guest/reset-password", title: ({ guest }) => guest.resetHeading },
  { path: "/claim", module: "guest/claim", title: ({ guest }) => guest.claimHeading },
  { path: "/social", module: "guest/social", title: ({ guest }) => guest.socialHeading },
  { path: "/home", module: "home/wardrobe", title: ({ shell }) => shell.wardrobe },
  { path: "/home/capes", module: "home/capes" },
  { path: "/home/account", module: "home/account" },
  { path: "/home/mail", module: "home/mail" },
  { path: "/setup", module: "setup/setup", title: ({ setup }) => setup.heading },
  { path: "/admin", module: "admin/overview" },
  { path: "/admin/users", module: "admin/users" },
  { path: "/admin/users/:id", module: "admin/user" },
  { path: "/admin/skins", module: "admin/skins" },
  { path: "/admin/capes", module: "admin/capes" },
  { path: "/admin/audit", module: "admin/audit" },
  { path: "/admin/mail", module: "admin/mail" },
  { path: "/admin/outbox", module: "admin/outbox" },
  { path: "/admin/services", module: "admin/services" },
] as const satisfies readonly ConsolePage[];

export type PagePath = (typeof consolePages)[number]["path"];
