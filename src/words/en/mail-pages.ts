import type { MailPageWords } from "../mail-pages.ts";

export const mailPages: MailPageWords = {
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
