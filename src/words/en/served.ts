import type { ServedWords } from "../server-words.ts";
import { pages } from "./pages.ts";
import { setup } from "./pages/setup.ts";
import { play } from "./play.ts";

export const served: ServedWords = {
  noScript: "This page needs JavaScript. Allow it for this site, then load the page again.",
  noScriptPlayer: "Turning the figure and wearing its skin need JavaScript.",
  figureOf: (player) => `The figure of ${player}`,
  playerOf: (player, community) => `${player} on ${community}: skin and cape`,
  play,
  pages: { ...pages, setup },
};
