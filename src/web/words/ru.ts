import type { Words } from "./en.ts";
import { shell } from "./ru/shell.ts";
import { player } from "./ru/player.ts";
import { guest } from "./ru/guest.ts";
import { home } from "./ru/home.ts";
import { wardrobe } from "./ru/wardrobe.ts";
import { account } from "./ru/account.ts";
import { address } from "./ru/address.ts";

export const ru = {
  shell,
  player,
  guest,
  home,
  wardrobe,
  account,
  address,
} satisfies Words;
