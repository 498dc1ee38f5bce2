import type { Words } from "./en.ts";
import { shell } from "./de/shell.ts";
import { player } from "./de/player.ts";
import { guest } from "./de/guest.ts";
import { home } from "./de/home.ts";
import { account } from "./de/account.ts";
import { admin } from "./de/admin.ts";
import { records } from "./de/records.ts";
import { setup } from "./de/setup.ts";
import { staff } from "./de/staff.ts";

export const de = { shell, player, guest, home, account, admin, records, setup, staff } satisfies Words;
