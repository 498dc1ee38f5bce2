import type { Words } from "../en/pages.ts";
import { shell } from "./pages/shell.ts";
import { player } from "./pages/player.ts";
import { guest } from "./pages/guest.ts";
import { home } from "./pages/home.ts";
import { wardrobe } from "./pages/wardrobe.ts";
import { account } from "./pages/account.ts";
import { address } from "./pages/address.ts";

export const pages = {
  shell,
  player,
  guest,
  home,
  wardrobe,
  account,
  address,
} satisfies Words;
