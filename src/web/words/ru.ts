import type { Words } from "./en.ts";
import { shell } from "./ru/shell.ts";
import { player } from "./ru/player.ts";
import { guest } from "./ru/guest.ts";
import { home } from "./ru/home.ts";
import { wardrobe } from "./ru/wardrobe.ts";
import { account } from "./ru/account.ts";
import { admin } from "./ru/admin.ts";
import { records } from "./ru/records.ts";
import { skin } from "./ru/skin.ts";
import { setup } from "./ru/setup.ts";
import { staff } from "./ru/staff.ts";
import { grants } from "./ru/grants.ts";
import { address } from "./ru/address.ts";

export const ru = {
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
