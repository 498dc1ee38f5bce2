import { plural } from "../../plural.ts";

export const admin = {
  all: "Все",
  name: "Имя",
  level: "Уровень",
  levels: { player: "Игрок", moderator: "Модератор", administrator: "Администратор" },
  number: "Номер",
  created: "Регистрация",
  lastSeen: "Последний визит",
  social: "Внешняя учётная запись",
  passwordOfOther: "из другой системы, до следующего входа",
  linked: "Связана",
  none: "нет",
  never: "никогда",
  verified: "Подтверждена",
  unverified: "Не подтверждена",
  until: (end: string) => `до ${end}`,
  untilField: "До",
  untilOf: (name: string) => `До, для «${name}»`,
  userNumber: (id: number | string) => `Пользователь ${id}`,
  copyUuid: "Копировать UUID",
  saved: "Сохранено",
  nothingChanged: "Ничего не изменено",

  searchUsers: "Поиск пользователей",
  noUsers: "Ни в именах, ни в адресах этого нет.",

  role: "Роль",
  setRole: "Задать роль",
  roleSet: "Роль задана",
  untilHelp: "Пусто: навсегда",
  thenLevel: (level: string) => `Пусто: навсегда. Потом: ${level}`,

  noGrants: "У этого человека нет плащей.",
  noCapes: "Плащей пока нет.",
  saveCapes: "Сохранить плащи",
  capesSaved: "Плащи сохранены",

  noPlayers: "Регистрация не закончена: игрока ещё нет.",
  newPlayerHelp: "Можно превысить число игроков, которое этот человек может создать сам.",
  renameHelp: "Старое имя остаётся за этой учётной записью.",
  deletePlayerHelp: "Игры, где он используется, выйдут из системы. Скины и плащи останутся.",

  noSessions: "Вход нигде не выполнен.",

  allEntries: "Все записи",
  noEntries: "Изменений ещё не было.",

  mailHelp: "Новый адрес завершает все сеансы этого человека.",
  mailVerified: "Адрес подтверждён",
  playersMax: "Игроков не больше",
  playersMaxHelp: "Пусто: как у всех",
  resetHelp: "По коду из письма этот человек задаст новый пароль.",
  howToJoin: "Новые участники регистрируются на странице /register.",
  howToJoinByFile:
    "Новые участники регистрируются на странице /register. Пока почтовый сервер не настроен, их коды лежат файлами в папке данных, а «cloakroom user create» сразу создаёт учётную запись.",
  noMailHelp: "Без адреса почты код не отправить.",
  sendReset: "Отправить письмо для сброса",
  resetSent: (mail: string) => `Письмо на ${mail} отправляется`,
  deleteUser: "Удаление учётной записи",
  deleteUserHelp: "Вместе с ней исчезнут сеансы, скины и выданные плащи. Вернуть это нельзя.",
  typeName: (name: string) => `Для подтверждения введите ${name}`,
  typeNameWrong: (name: string) => `Это не ${name}`,

  suspension: "Блокировка",
  suspend: "Заблокировать",
  suspendThing: (name: string) => `Заблокировать: ${name}`,
  suspendHelp:
    "Заблокированный пользователь выходит отовсюду, в том числе из игр, и не может войти. Игроки, скины и плащи остаются.",
  suspendUntilHelp: "Пусто: без срока",
  suspendReasonHelp: "Пользователь прочтёт её в письме и при входе; она останется в журнале.",
  nowSuspended: (name: string) => `Пользователь ${name} заблокирован`,
  suspendedUntil: (end: string) => `Заблокирован до ${end}`,
  suspendedForGood: "Заблокирован без срока",
  endSuspension: "Снять блокировку",
  suspensionEnded: "Блокировка снята",

  noSkins: "Скинов пока нет.",
  noSkinsOf: "У этого человека нет скинов.",
  deleteSkinHelp: "Скин сразу исчезнет из гардероба. Вернуть это нельзя.",
  reason: "Причина",
  reasonHelp: "Владелец прочтёт её в письме; она останется в журнале.",
  banToo: "Запретить изображение: убрать из всех гардеробов и больше не принимать",
  skinBanned: (name: string) => `Удалено: ${name}, изображение запрещено`,
  bans: "Запрещённые изображения",
  noBans: "Запрещённых изображений нет.",
  lift: "Снять",
  liftThing: (hash: string) => `Снять запрет ${hash}`,
  liftHelp: "Изображение снова можно будет загрузить. Убранные скины не вернутся.",
  banLifted: "Запрет снят",

  uploadCape: "Загрузить плащ",
  dropCape: "Отпустите файл, чтобы добавить плащ",
  searchCapes: "Поиск плащей",
  noCapesFound: "Плаща с таким названием нет.",
  newCape: "Новый плащ",
  capeSheet: "Файл",
  noPicture:
    "Этот файл не изображение PNG. Плащ — это PNG размером 64x32 пикселя или в целое число раз больше.",
  wrongMeasure: (width: number, height: number) =>
    `Плащ имеет размер 64x32 пикселя или в целое число раз больше, этот файл — ${width}x${height}`,
  capeTooLarge: (size: string) => `Файл больше, чем ${size}`,
  addCape: "Добавить плащ",
  capeAdded: (name: string) => `Добавлено: ${name}`,
  owners: "Владельцы",
  ownersHelp: "Кто может его носить. Других можно добавить позже.",
  ownersOf: (count: number, name: string) => `${ownersCount(count)}: ${name}`,
  ownersCount: (count: number) => ownersCount(count),
  ownersOfThing: (name: string) => `Владельцы: ${name}`,
  noOwners: "Пока его никто не может носить.",
  grantUntilHelp: "Когда право его носить закончится. Пусто: никогда",
  deleteCapeHelp: (owners: number) =>
    `Он исчезнет со всех скинов. Сейчас его может носить ${plural("ru", owners, {
      one: `${owners} человек`,
      few: `${owners} человека`,
      other: `${owners} человек`,
    })}. Вернуть это нельзя.`,
};

function ownersCount(count: number): string {
  return plural("ru", count, {
    one: `${count} владелец`,
    few: `${count} владельца`,
    other: `${count} владельцев`,
  });
}
