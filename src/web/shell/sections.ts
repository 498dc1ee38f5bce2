/** Pages that members get links to, by the name of their message. */
export const memberSections = [
  { name: "wardrobe", path: "/home" },
  { name: "capes", path: "/home/capes" },
  { name: "account", path: "/home/account" },
  { name: "play", path: "/play" },
] as const;

/** The pages for staff, with the least level in force that each is for (docs/contract/admin.md#levels). */
export const staffSections = [
  { name: "overview", path: "/admin", level: 2 },
  { name: "users", path: "/admin/users", level: 2 },
  { name: "skins", path: "/admin/skins", level: 2 },
  { name: "capes", path: "/admin/capes", level: 2 },
  { name: "audit", path: "/admin/audit", level: 2 },
  { name: "mail", path: "/admin/mail", level: 3 },
  { name: "outbox", path: "/admin/outbox", level: 3 },
  { name: "services", path: "/admin/services", level: 3 },
] as const;
