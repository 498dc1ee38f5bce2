import { plural } from "../../plural.ts";

export const account = {
  show: "Показать",
  passwordRule: (least: number) =>
    `Не меньше ${plural("ru", least, { one: `${least} символа`, other: `${least} символов` })}. Хорошо подходят несколько слов.`,
  currentPassword: "Текущий пароль",

  nowCalled: (name: string) => `Ваше имя ${name}. Прежнее имя некоторое время остаётся за вами.`,
  newPlayerName: "Новое имя игрока",
  changeName: "Изменить имя",
  nameChanged: (name: string) => `Теперь ваше имя ${name}`,

  passwordHelp: "Все ваши другие сеансы завершатся.",
  changePassword: "Изменить пароль",
  passwordChanged: "Пароль изменён",
  noPassword: (name: string) =>
    `Вы входите через другой сайт, и имя ${name} взято оттуда. Выберите один раз имя и пароль: тогда можно входить и здесь, и в лаунчерах.`,
  chooseBoth: "Выбрать имя и пароль",

  mailNow: (mail: string) => `Ваш адрес ${mail}. На новый сначала придёт код.`,
  mailUnconfirmed: (mail: string) => `Ваш адрес ${mail} ещё не подтверждён. Код придёт на него или на новый.`,
  mailNone: "У вашей учётной записи ещё нет адреса. На новый сначала придёт код.",
  newMail: "Новая почта",
  codeOnItsWay: (mail: string) => `Код отправлен на ${mail}`,
  confirmMailHeading: "Подтвердите новую почту",
  confirmMailHelp: "Введите код, который пришёл на новый адрес. Все ваши другие сеансы завершатся.",
  mailChanged: "Почта изменена",

  connections: "Привязки",
  connectedAs: (name: string) => `Привязана учётная запись ${name}, через неё можно входить.`,
  connectHelp: "Привяжите учётную запись другого сайта, чтобы входить без пароля.",
  connect: (provider: string) => `Привязать ${provider}`,
  disconnect: "Отвязать",
  disconnected: "Отвязано",

  players: "Игроки",
  playersHelp: (most: number) =>
    plural("ru", most, {
      one: `В учётной записи может быть ${most} игрок.`,
      few: `В учётной записи может быть ${most} игрока. У них общие скины, плащи и пароль.`,
      other: `В учётной записи может быть ${most} игроков. У них общие скины, плащи и пароль.`,
    }),
  mainPlayer: "Основной игрок",
  newPlayer: "Новый игрок",
  name: "Имя",
  addPlayer: "Добавить игрока",
  newPlayerHelp: "Ещё один ваш персонаж, со своей внешностью.",
  renameHelp: "Игры увидят новое имя при следующем входе. Прежнее некоторое время остаётся за вами.",
  playerAdded: (name: string) => `Игрок ${name} добавлен`,
  playerRenamed: (before: string, after: string) => `${before} теперь ${after}`,
  deletePlayerHelp:
    "Игрок исчезнет из игры навсегда. Его имя некоторое время остаётся за вами; скины и плащи сохранятся.",

  sessions: "Сеансы",
  sessionsHelp: "Где вы вошли: на этом сайте и в лаунчерах.",
  thisDevice: "Это устройство",
  web: "Сайт",
  game: "Игра",
  unknownProgram: "Неизвестная программа",
  usedAgo: (ago: string) => `активность: ${ago}`,
  endSession: "Завершить сеанс",
  endSessionOf: (program: string) => `Завершить сеанс ${program}`,
  sessionEnded: "Сеанс завершён",

  aliases: "Старые имена для входа",
  aliasesHelp: "Они остались с сервера, где вы играли раньше. Под ними можно войти; другие их не видят.",
  aliasSince: (day: string) => `сохранено ${day}`,
  aliasRemoved: (name: string) => `Имя ${name} больше не подходит для входа`,

  export: "Экспорт",
  exportHelp:
    "Zip-архив со всем, что о вас хранится: профиль, игроки, скины, плащи, сеансы, письма и действия администрации. Скачать его можно три раза в день.",
  freshSignIn: "Это можно сделать в течение 15 минут после входа.",
  download: "Скачать мои данные",
  downloaded: "Ваши данные скачаны",

  deleteAccount: "Удалить учётную запись",
  deleteAccountHelp: "Вместе с ней исчезнут ваши игроки, скины и плащи. Все ваши сеансы завершатся сразу.",
  deleteDays: (days: number) =>
    days === 0
      ? "Учётная запись удаляется сразу и навсегда."
      : `Ещё ${plural("ru", days, { one: `${days} день`, few: `${days} дня`, many: `${days} дней`, other: `${days} дня` })} можно войти и сохранить учётную запись.`,
  deleteNeedsPassword: "Для этого нужен пароль, а у вашей учётной записи его ещё нет. Сначала выберите его.",
  accountLeavesOn: (moment: string) =>
    `Ваша учётная запись будет удалена ${moment}. Войдите до этого, чтобы сохранить её.`,
  accountGone: "Ваша учётная запись удалена",
};
