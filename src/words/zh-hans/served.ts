import type { ServedWords } from "../server-words.ts";
import { pages } from "./pages.ts";
import { setup } from "./pages/setup.ts";
import { play } from "./play.ts";

export const served: ServedWords = {
  noScript: "此页面需要 JavaScript。请为本站启用它，然后重新加载页面。",
  noScriptPlayer: "转动形象和穿上皮肤需要 JavaScript。",
  figureOf: (player) => `${player} 的形象`,
  playerOf: (player, community) => `${community} 的 ${player}：皮肤与披风`,
  play,
  pages: { ...pages, setup },
};
