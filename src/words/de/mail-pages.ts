import type { MailPageWords } from "../mail-pages.ts";

export const mailPages: MailPageWords = {
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
