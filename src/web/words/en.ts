import { shell } from "./en/shell.ts";
import { player } from "./en/player.ts";
import { guest } from "./en/guest.ts";
import { home } from "./en/home.ts";
import { wardrobe } from "./en/wardrobe.ts";
import { account } from "./en/account.ts";
import { address } from "./en/address.ts";

export const en = {
  shell,
  player,
  guest,
  home,
  wardrobe,
  account,
  address,
};

/** Messages are text, or functions that give text; every language has all of them. */
export type Words = typeof en;
