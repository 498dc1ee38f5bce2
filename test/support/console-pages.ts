import type { Community } from "./community.ts";

/** A page of the console. */
export type ConsolePage = {
  readonly path: string;
  /** Its heading of the first level, in English. */
  readonly heading: string;
  /** The least level that may open it; 0: guests. */
  readonly level: 0 | 1 | 2 | 3;
};

/** Every page of the console, as the pages of this community. */
export function consolePages(name: string, { player, others }: Community): readonly ConsolePage[] {
  const user = others[0]?.account.id ?? 0;
  const userName = others[0]?.name ?? "";
  return [
    { path: "/", heading: name, level: 0 },
    { path: "/play", heading: "Play", level: 0 },
    { path: `/u/${player.name}`, heading: player.name, level: 0 },
    { path: "/login", heading: "Sign in", level: 0 },
    { path: "/register", heading: "Register", level: 0 },
    { path: "/confirm", heading: "Confirm your e-mail", level: 0 },
    { path: "/registerfinish", heading: "Choose your name", level: 0 },
    { path: "/forgetpass", heading: "Reset your password", level: 0 },
    { path: "/resetpassword", heading: "Set a new password", level: 0 },
    { path: "/claim", heading: "Claim your account", level: 0 },
    { path: "/social", heading: "Link or create", level: 0 },
    { path: "/setup", heading: "Set up", level: 0 },
    { path: "/home", heading: "Wardrobe", level: 1 },
    { path: "/home/capes", heading: "Capes", level: 1 },
    { path: "/home/account", heading: "Account", level: 1 },
    { path: "/home/mail", heading: "Confirm your new e-mail", level: 1 },
    { path: "/admin", heading: "Overview", level: 2 },
    { path: "/admin/users", heading: "Users", level: 2 },
    { path: `/admin/users/${user}`, heading: userName, level: 2 },
    { path: "/admin/skins", heading: "Skins", level: 2 },
    { path: "/admin/capes", heading: "Capes", level: 2 },
    { path: "/admin/audit", heading: "Audit", level: 2 },
    { path: "/admin/mail", heading: "Mail to everybody", level: 3 },
    { path: "/admin/outbox", heading: "Outbox", level: 3 },
    { path: "/admin/services", heading: "Services", level: 3 },
  ];
}
