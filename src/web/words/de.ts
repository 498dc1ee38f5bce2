import type { Words } from "./en.ts";
import { shell } from "./de/shell.ts";
import { player } from "./de/player.ts";
import { guest } from "./de/guest.ts";
import { home } from "./de/home.ts";
import { wardrobe } from "./de/wardrobe.ts";
import { account } from "./de/account.ts";
import { address } from "./de/address.ts";

export const de = {
  shell,
  player,
  guest,
  home,
  wardrobe,
  account,
  address,
} satisfies Words;
