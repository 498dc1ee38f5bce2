import { plural } from "../../plural.ts";

export const records = {
  accounts: "Учётные записи",
  unconfirmed: (count: number) =>
    plural("ru", count, { one: `${count} не подтверждена`, other: `${count} не подтверждены` }),
  registrations: "Регистрации",
  signIns: "Входы",
  fortnight: "Последние 14 дней",
  aDay: (what: string) => `${what} по дням`,
  day: "День",
  mailsWaiting: "Писем в очереди",
  mailsFailed: (count: number) => `${count} не доставлено`,
  diskFree: "Свободно на диске",
  diskUsed: (size: string) => `занято ${size}`,
  cacheHits: "Картинки из кэша",
  requests: (count: number, shown: string) =>
    plural("ru", count, { one: `из ${shown} запроса`, other: `из ${shown} запросов` }),
  checks: "Проверки",
  states: { ok: "В порядке", warning: "Внимание", fault: "Сбой", unused: "Не используется" },
  setUpLeft: (count: number) =>
    plural("ru", count, {
      one: `Настройка: остался ${count} шаг`,
      few: `Настройка: осталось ${count} шага`,
      other: `Настройка: осталось ${count} шагов`,
    }),
  running: (version: string, since: string) => `Версия ${version}, запуск: ${since}`,
  figures: "Показатели",

  when: "Когда",
  who: "Кто",
  what: "Действие",
  forWhom: "Для кого",
  filters: "Фильтры",
  since: "С",
  until: "По",
  noEntries: "Подходящих записей нет.",
  chain: "Цепочка журнала",
  chainIntact: "Цепочка цела",
  chainBroken: "Цепочка нарушена",
  entries: (count: number) =>
    plural("ru", count, { one: `${count} запись`, few: `${count} записи`, other: `${count} записей` }),
  brokenAt: (id: number, problem: string) => `Запись ${id}: ${problem}`,
  copyHash: "Копировать последний хеш",
  hashHelp: "Последний хеш. Запишите его в другом месте: так можно позже доказать, что ничего не изменили.",

  mailToEverybody: "Письмо всем",
  newMail: "Новое письмо",
  subject: "Тема",
  message: "Сообщение",
  messageHelp:
    "Обычный текст. Пустая строка начинает абзац. Под текстом будет сказано, почему человек получил письмо, и дана ссылка для отписки. Приветствие напишите сами.",
  people: (count: number) =>
    plural("ru", count, { one: `${count} человек`, few: `${count} человека`, other: `${count} человек` }),
  sendTo: (count: number) =>
    plural("ru", count, {
      one: `Отправить ${count} человеку`,
      other: `Отправить ${count} людям`,
    }),
  sendToMe: "Сначала отправить себе",
  trialSent: (to: string) => `Письмо отправляется только на ${to}`,
  send: "Отправить",
  sendHelp: (subject: string) => `«${subject}» уйдёт всем с подтверждённым адресом. Отозвать письмо нельзя.`,
  onTheWay: (count: number) =>
    plural("ru", count, {
      one: `${count} письмо отправляется`,
      few: `${count} письма отправляются`,
      other: `${count} писем отправляются`,
    }),
  noRecipients: "Подтверждённого адреса нет ни у кого.",
  mailings: "Отправленные письма",
  noMailings: "Писем всем ещё не было.",
  progressOf: (subject: string) => `Ход отправки: ${subject}`,
  progress: ({ sent, total, failed }: { sent: number; total: number; failed: number }) =>
    failed === 0
      ? `Отправлено ${sent} из ${total}`
      : `Отправлено ${sent} из ${total}, не доставлено ${failed}`,
  showFailed: "Показать недоставленные",

  to: "Кому",
  template: "Письмо",
  state: "Состояние",
  written: "Создано",
  action: "Действия",
  waiting: "Ожидает",
  failed: "Не доставлено",
  attempts: (count: number) =>
    plural("ru", count, { one: `${count} попытка`, few: `${count} попытки`, other: `${count} попыток` }),
  nextTry: (when: string) => `следующая ${when}`,
  retry: "Повторить",
  retryThing: (to: string) => `Повторить ${to}`,
  retried: (to: string) => `Письмо на ${to} отправляется снова`,
  nothingWaits: "Отдельных писем в очереди нет. Копии рассылок — на странице «Рассылка».",
  noFailed: "Недоставленных писем нет.",
  sendTest: "Отправить пробное письмо",
  testHelp: "Пусто: на ваш адрес",
  testSent: (to: string) => `Пробное письмо на ${to} отправляется`,

  servicesHelp: "Токен позволяет другой программе, например магазину или лаунч-серверу, работать здесь.",
  newToken: "Новый токен",
  createToken: "Создать токен",
  noTokens: "Токенов пока нет.",
  tokenNameHelp: "Так журнал называет сервис: a-z, 0-9, точка, дефис и подчёркивание",
  rights: "Права",
  rightNames: {
    find: "Находить учётные записи",
    permission: "Назначать уровни",
    events: "Читать события",
    launcher: "Обслуживать лаунч-сервер",
    cape: "Выдавать и отбирать плащи",
  },
  noRightChosen: "Выберите хотя бы одно право",
  made: "Создан",
  lastUsed: "Использован",
  fromSettings: "Из настроек",
  token: "Токен",
  tokenOnce: "Скопируйте токен сейчас. Он нигде не хранится и больше не будет показан.",
  copyToken: "Копировать токен",
  revoke: "Отозвать",
  revokeThing: (name: string) => `Отозвать ${name}`,
  revokeHelp: "Программа с этим токеном сразу получит отказ. Вернуть это нельзя.",
  revoked: (name: string) => `Отозван: ${name}`,
};
