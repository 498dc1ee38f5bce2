import type { Words } from "./en.ts";
import { shell } from "./zh-hans/shell.ts";
import { player } from "./zh-hans/player.ts";
import { guest } from "./zh-hans/guest.ts";
import { home } from "./zh-hans/home.ts";
import { wardrobe } from "./zh-hans/wardrobe.ts";
import { account } from "./zh-hans/account.ts";
import { admin } from "./zh-hans/admin.ts";
import { records } from "./zh-hans/records.ts";
import { skin } from "./zh-hans/skin.ts";
import { setup } from "./zh-hans/setup.ts";
import { staff } from "./zh-hans/staff.ts";
import { grants } from "./zh-hans/grants.ts";
import { address } from "./zh-hans/address.ts";

export const zhHans = {
  shell,
  player,
  guest,
  home,
  wardrobe,
  account,
  admin,
  records,
  skin,
  setup,
  staff,
  grants,
  address,
} satisfies Words;
