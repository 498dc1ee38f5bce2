import type { ServedWords } from "../server-words.ts";
import { pages } from "./pages.ts";
import { setup } from "./pages/setup.ts";
import { play } from "./play.ts";

export const served: ServedWords = {
  noScript: "Diese Seite braucht JavaScript. Erlaube es für diese Website und lade die Seite neu.",
  noScriptPlayer: "Um die Figur zu drehen und ihren Skin zu tragen, brauchst du JavaScript.",
  figureOf: (player) => `Die Figur von ${player}`,
  playerOf: (player, community) => `${player} bei ${community}: Skin und Umhang`,
  play,
  pages: { ...pages, setup },
};
