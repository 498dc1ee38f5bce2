import { shell } from "./en/shell.ts";
import { player } from "./en/player.ts";
import { guest } from "./en/guest.ts";
import { home } from "./en/home.ts";
import { wardrobe } from "./en/wardrobe.ts";
import { account } from "./en/account.ts";
import { admin } from "./en/admin.ts";
import { records } from "./en/records.ts";
import { skin } from "./en/skin.ts";
import { setup } from "./en/setup.ts";
import { staff } from "./en/staff.ts";
import { grants } from "./en/grants.ts";
import { address } from "./en/address.ts";

export const en = {
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
};

/** Messages are text, or functions that give text; every language has all of them. */
export type Words = typeof en;
