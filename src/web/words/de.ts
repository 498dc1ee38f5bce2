import type { Words } from "./en.ts";
import { shell } from "./de/shell.ts";
import { player } from "./de/player.ts";
import { guest } from "./de/guest.ts";
import { home } from "./de/home.ts";
import { wardrobe } from "./de/wardrobe.ts";
import { account } from "./de/account.ts";
import { admin } from "./de/admin.ts";
import { records } from "./de/records.ts";
import { skin } from "./de/skin.ts";
import { setup } from "./de/setup.ts";
import { staff } from "./de/staff.ts";
import { grants } from "./de/grants.ts";
import { address } from "./de/address.ts";

export const de = {
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
