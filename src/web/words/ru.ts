import type { Words } from "./en.ts";
import { shell } from "./ru/shell.ts";
import { player } from "./ru/player.ts";
import { guest } from "./ru/guest.ts";
import { home } from "./ru/home.ts";
import { account } from "./ru/account.ts";
import { admin } from "./ru/admin.ts";
import { records } from "./ru/records.ts";
import { setup } from "./ru/setup.ts";
import { staff } from "./ru/staff.ts";

export const ru = { shell, player, guest, home, account, admin, records, setup, staff } satisfies Words;
