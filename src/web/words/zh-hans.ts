import type { Words } from "./en.ts";
import { shell } from "./zh-hans/shell.ts";
import { player } from "./zh-hans/player.ts";
import { guest } from "./zh-hans/guest.ts";
import { home } from "./zh-hans/home.ts";
import { account } from "./zh-hans/account.ts";
import { admin } from "./zh-hans/admin.ts";
import { records } from "./zh-hans/records.ts";
import { setup } from "./zh-hans/setup.ts";
import { staff } from "./zh-hans/staff.ts";

export const zhHans = { shell, player, guest, home, account, admin, records, setup, staff } satisfies Words;
