import type { ServedWords } from "../server-words.ts";
import { pages } from "./pages.ts";
import { setup } from "./pages/setup.ts";
import { play } from "./play.ts";

export const served: ServedWords = {
  noScript: "Этой странице нужен JavaScript. Разрешите его для этого сайта и загрузите страницу снова.",
  noScriptPlayer: "Чтобы повернуть фигуру и надеть её скин, нужен JavaScript.",
  figureOf: (player) => `Фигура игрока ${player}`,
  playerOf: (player, community) => `${player} на ${community}: скин и плащ`,
  play,
  pages: { ...pages, setup },
};
