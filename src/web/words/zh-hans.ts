import type { Words } from "./en.ts";
import { shell } from "./zh-hans/shell.ts";
import { player } from "./zh-hans/player.ts";
import { guest } from "./zh-hans/guest.ts";
import { home } from "./zh-hans/home.ts";
import { wardrobe } from "./zh-hans/wardrobe.ts";
import { account } from "./zh-hans/account.ts";
import { address } from "./zh-hans/address.ts";

export const zhHans = {
  shell,
  player,
  guest,
  home,
  wardrobe,
  account,
  address,
} satisfies Words;
