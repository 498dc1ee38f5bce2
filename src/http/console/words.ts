import type { Language } from "../../domain/model/mail.ts";

/** What the server itself writes into pages; everything else is in `src/web/words`. */
export type PageWords = {
  /** Headings by path, for the titles of pages that people reach by links. */
  readonly titles: Readonly<Record<string, string>>;
  readonly notFound: string;
  readonly notFoundHelp: string;
  readonly toStart: string;
  readonly noScript: string;
  /** On the page of a player, which shows everything else without scripts. */
  readonly noScriptPlayer: string;
  /** The picture of a player. */
  readonly figureOf: (player: string) => string;
  /** Since when a player is there, by the day. */
  readonly since: (day: string) => string;
  readonly cape: string;
  readonly capeOf: (player: string) => string;
  /** A player in the preview of a link. */
  readonly playerOf: (player: string, community: string) => string;
};

/** The words of a language. */
export function wordsIn(language: Language): PageWords {
  return words[language];
}

const words = {
  en: {
    titles: {
      "/login": "Sign in",
      "/register": "Register",
      "/confirm": "Confirm your e-mail",
      "/registerfinish": "Choose your name",
      "/forgetpass": "Reset your password",
      "/resetpassword": "Set a new password",
      "/social": "Link or create",
      "/setup": "Set up",
      "/home": "Wardrobe",
    },
    notFound: "Page not found",
    notFoundHelp: "Nothing is at this address.",
    toStart: "Go to the start page",
    noScript: "This page needs JavaScript. Allow it for this site, then load the page again.",
    noScriptPlayer: "Turning the figure and wearing its skin need JavaScript.",
    figureOf: (player) => `The figure of ${player}`,
    since: (day) => `Here since ${day}`,
    cape: "Cape",
    capeOf: (player) => `The cape of ${player}`,
    playerOf: (player, community) => `${player} on ${community}: skin and cape`,
  },
  ru: {
    titles: {
      "/login": "Войти",
      "/register": "Зарегистрироваться",
      "/confirm": "Подтвердите почту",
      "/registerfinish": "Выберите имя",
      "/forgetpass": "Сброс пароля",
      "/resetpassword": "Задайте новый пароль",
      "/social": "Привязать или создать",
      "/setup": "Настройка",
      "/home": "Гардероб",
    },
    notFound: "Страница не найдена",
    notFoundHelp: "По этому адресу ничего нет.",
    toStart: "На главную",
    noScript: "Этой странице нужен JavaScript. Разрешите его для этого сайта и загрузите страницу снова.",
    noScriptPlayer: "Чтобы повернуть фигуру и надеть её скин, нужен JavaScript.",
    figureOf: (player) => `Фигура игрока ${player}`,
    since: (day) => `Здесь с ${day}`,
    cape: "Плащ",
    capeOf: (player) => `Плащ игрока ${player}`,
    playerOf: (player, community) => `${player} на ${community}: скин и плащ`,
  },
  de: {
    titles: {
      "/login": "Anmelden",
      "/register": "Registrieren",
      "/confirm": "Bestätige deine E-Mail",
      "/registerfinish": "Wähle deinen Namen",
      "/forgetpass": "Passwort zurücksetzen",
      "/resetpassword": "Neues Passwort setzen",
      "/social": "Verknüpfen oder neu anlegen",
      "/setup": "Einrichten",
      "/home": "Garderobe",
    },
    notFound: "Seite nicht gefunden",
    notFoundHelp: "Unter dieser Adresse gibt es nichts.",
    toStart: "Zur Startseite",
    noScript: "Diese Seite braucht JavaScript. Erlaube es für diese Website und lade die Seite neu.",
    noScriptPlayer: "Um die Figur zu drehen und ihren Skin zu tragen, brauchst du JavaScript.",
    figureOf: (player) => `Die Figur von ${player}`,
    since: (day) => `Hier seit dem ${day}`,
    cape: "Umhang",
    capeOf: (player) => `Der Umhang von ${player}`,
    playerOf: (player, community) => `${player} bei ${community}: Skin und Umhang`,
  },
  "zh-Hans": {
    titles: {
      "/login": "登录",
      "/register": "注册",
      "/confirm": "确认你的邮箱",
      "/registerfinish": "选择你的名字",
      "/forgetpass": "重置密码",
      "/resetpassword": "设置新密码",
      "/social": "关联或创建",
      "/setup": "初始设置",
      "/home": "衣柜",
    },
    notFound: "找不到页面",
    notFoundHelp: "这个地址没有任何内容。",
    toStart: "前往首页",
    noScript: "此页面需要 JavaScript。请为本站启用它，然后重新加载页面。",
    noScriptPlayer: "转动形象和穿上皮肤需要 JavaScript。",
    figureOf: (player) => `${player} 的形象`,
    since: (day) => `${day}加入`,
    cape: "披风",
    capeOf: (player) => `${player} 的披风`,
    playerOf: (player, community) => `${community} 的 ${player}：皮肤与披风`,
  },
} as const satisfies Readonly<Record<string, PageWords>>;
