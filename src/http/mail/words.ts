import { say } from "../../domain/mail/chinese-text.ts";
import type { Language } from "../../domain/model/mail.ts";

/** The words of a page. */
export type PageWords = { readonly title: string; readonly text: string; readonly note: string | null };

type Place = {
  /** Of the account, masked. */
  readonly address: string;
  readonly site: string;
};

type Words = {
  readonly subscribed: (place: Place) => PageWords & { readonly button: string };
  /** After the button was used. */
  readonly resubscribed: (place: Place) => PageWords & { readonly button: string };
  readonly unsubscribed: (place: Place) => PageWords & { readonly button: string };
  readonly unknown: PageWords;
  /** Too many requests; `later` says when to try again, as in "in 5 seconds". */
  readonly limited: (later: string) => PageWords;
  /** Any other failure, with the number by which the operator finds its cause, if it has one. */
  readonly failed: (requestId: string | null) => PageWords;
};

const english: Words = {
  subscribed: ({ address, site }) => ({
    title: "Get no more of these mails?",
    text: `The people who run ${site} sometimes write to everybody who has an account there. The account with the address ${address} gets these mails.`,
    button: "Unsubscribe",
    note: "Codes and notices about the account are sent in any case.",
  }),
  resubscribed: ({ address, site }) => ({
    title: "You are subscribed again",
    text: `The account with the address ${address} gets the mails that go to everybody on ${site}.`,
    button: "Unsubscribe",
    note: null,
  }),
  unsubscribed: ({ address, site }) => ({
    title: "You are unsubscribed",
    text: `The account with the address ${address} gets no more of the mails that go to everybody on ${site}.`,
    button: "Subscribe again",
    note: "Codes and notices about the account are sent in any case.",
  }),
  unknown: {
    title: "This link does not work",
    text: "It belongs to no account. Perhaps a part of it is missing, or the account has been deleted.",
    note: null,
  },
  limited: (later) => ({
    title: "That did not work",
    text: "There are too many requests at the moment.",
    note: `Please try again ${later}.`,
  }),
  failed: (requestId) => ({
    title: "That did not work",
    text: "The server could not do this. Please try again later.",
    note: requestId && `If it happens again, give the people who run the server this number: ${requestId}`,
  }),
};

const russian: Words = {
  subscribed: ({ address, site }) => ({
    title: "Больше не получать такие письма?",
    text: `Администрация ${site} иногда пишет всем, у кого там есть учётная запись. Учётная запись с адресом ${address} получает эти письма.`,
    button: "Отписаться",
    note: "Коды и уведомления об учётной записи приходят в любом случае.",
  }),
  resubscribed: ({ address, site }) => ({
    title: "Вы снова подписаны",
    text: `Учётная запись с адресом ${address} получает письма, которые рассылаются всем на ${site}.`,
    button: "Отписаться",
    note: null,
  }),
  unsubscribed: ({ address, site }) => ({
    title: "Вы отписаны",
    text: `Учётная запись с адресом ${address} больше не получает писем, которые рассылаются всем на ${site}.`,
    button: "Подписаться снова",
    note: "Коды и уведомления об учётной записи приходят в любом случае.",
  }),
  unknown: {
    title: "Эта ссылка не работает",
    text: "Она не относится ни к одной учётной записи. Возможно, часть ссылки потерялась или учётная запись удалена.",
    note: null,
  },
  limited: (later) => ({
    title: "Не получилось",
    text: "Сейчас слишком много запросов.",
    note: `Попробуйте ещё раз ${later}.`,
  }),
  failed: (requestId) => ({
    title: "Не получилось",
    text: "Сервер не смог это сделать. Попробуйте ещё раз позже.",
    note: requestId && `Если это повторится, сообщите администрации этот номер: ${requestId}`,
  }),
};

const german: Words = {
  subscribed: ({ address, site }) => ({
    title: "Diese Mails nicht mehr bekommen?",
    text: `Das Team von ${site} schreibt manchmal allen, die dort ein Konto haben. Das Konto mit der Adresse ${address} bekommt diese Mails.`,
    button: "Abbestellen",
    note: "Codes und Hinweise zum Konto kommen in jedem Fall.",
  }),
  resubscribed: ({ address, site }) => ({
    title: "Du bekommst die Mails wieder",
    text: `Das Konto mit der Adresse ${address} bekommt die Mails, die an alle bei ${site} gehen.`,
    button: "Abbestellen",
    note: null,
  }),
  unsubscribed: ({ address, site }) => ({
    title: "Die Mails sind abbestellt",
    text: `Das Konto mit der Adresse ${address} bekommt die Mails, die an alle bei ${site} gehen, nicht mehr.`,
    button: "Wieder bekommen",
    note: "Codes und Hinweise zum Konto kommen in jedem Fall.",
  }),
  unknown: {
    title: "Dieser Link funktioniert nicht",
    text: "Er gehört zu keinem Konto. Vielleicht fehlt ein Teil davon, oder das Konto wurde gelöscht.",
    note: null,
  },
  limited: (later) => ({
    title: "Das hat nicht geklappt",
    text: "Im Moment gibt es zu viele Anfragen.",
    note: `Versuch es ${later} noch einmal.`,
  }),
  failed: (requestId) => ({
    title: "Das hat nicht geklappt",
    text: "Der Server konnte das nicht erledigen. Versuch es später noch einmal.",
    note: requestId && `Wenn es wieder passiert, nenn dem Team diese Nummer: ${requestId}`,
  }),
};

const chinese: Words = {
  subscribed: ({ address, site }) => ({
    title: "不再接收这类邮件？",
    text: say`${site}的管理人员有时会给所有注册用户写信。邮箱为${address}的账号会收到这些邮件。`,
    button: "退订",
    note: "验证码和账号通知不受影响，仍会照常发送。",
  }),
  resubscribed: ({ address, site }) => ({
    title: "已重新订阅",
    text: say`邮箱为${address}的账号会收到${site}发给所有人的邮件。`,
    button: "退订",
    note: null,
  }),
  unsubscribed: ({ address, site }) => ({
    title: "已退订",
    text: say`邮箱为${address}的账号不会再收到${site}发给所有人的邮件。`,
    button: "重新订阅",
    note: "验证码和账号通知不受影响，仍会照常发送。",
  }),
  unknown: {
    title: "这个链接无效",
    text: "它不属于任何账号。可能是链接不完整，或者账号已被删除。",
    note: null,
  },
  limited: (later) => ({ title: "操作没有成功", text: "现在的请求太多了。", note: `请在${later}再试。` }),
  failed: (requestId) => ({
    title: "操作没有成功",
    text: "服务器没能完成这个操作，请稍后再试。",
    note: requestId && say`如果问题再次出现，请把这个编号告诉管理人员：${requestId}`,
  }),
};

export const words: Readonly<Record<Language, Words>> = {
  en: english,
  ru: russian,
  de: german,
  "zh-Hans": chinese,
};
