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
  readonly failed: (reason: string) => PageWords;
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
  failed: (reason) => ({ title: "That did not work", text: reason, note: "Please try again later." }),
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
  failed: (reason) => ({ title: "Не получилось", text: reason, note: "Попробуйте ещё раз позже." }),
};

export const words: Readonly<Record<Language, Words>> = { en: english, ru: russian };
