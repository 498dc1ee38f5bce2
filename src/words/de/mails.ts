import type { Origin } from "../../domain/model/mail.ts";
import type { Templates } from "../../domain/mail/templates.ts";

const codeLasts = "Der Code gilt 30 Minuten und nur einmal.";
const codeIsYours = (site: string) => `Gib den Code nie weiter: Niemand von ${site} wird dich danach fragen.`;

const askedFor = ({ time, network }: Origin) => `Angefordert am ${time} aus dem Netz ${network}.`;
const nothingToDo = "Wenn du das nicht warst, musst du nichts tun:";

/** The mails in German. They say "du", as game communities do. */
export const mails: Templates = {
  letters: {
    confirm: ({ site, time, network }) => ({
      subject: `Bestätige deine E-Mail-Adresse für ${site}`,
      preheader: `Nur noch ein Schritt bis zu deinem Konto bei ${site}.`,
      heading: "Bestätige deine E-Mail-Adresse",
      paragraphs: [
        `Willkommen! Mit dieser Adresse wurde ein Konto bei ${site} angelegt. Gib diesen Code ein, um zu bestätigen, dass sie dir gehört:`,
      ],
      button: "Adresse bestätigen",
      closing: [
        `Das Konto wurde am ${time} aus dem Netz ${network} angelegt. Es gilt das Passwort, das du nach dem Code wählst oder zusammen mit ihm eingibst. Hat sich noch jemand mit deiner Adresse registriert, gilt dessen Passwort nicht.`,
        codeLasts,
        "Wenn du dich nicht registriert hast, musst du nichts tun: Ohne den Code kann niemand das Konto benutzen. " +
          codeIsYours(site),
      ],
    }),
    "already-registered": ({ site, username, ...origin }) => ({
      subject: `Du hast schon ein Konto bei ${site}`,
      preheader: "Jemand wollte sich mit deiner Adresse registrieren.",
      heading: "Du hast schon ein Konto",
      paragraphs: [
        `Jemand, vermutlich du, wollte sich mit dieser Adresse bei ${site} registrieren. Sie gehört schon zum Konto ${username}, deshalb wurde kein neues angelegt.`,
        "Melde dich einfach wie gewohnt an. Falls du dein Passwort vergessen hast, kannst du ein neues festlegen:",
      ],
      button: "Neues Passwort festlegen",
      closing: [askedFor(origin), `${nothingToDo} An deinem Konto hat sich nichts geändert.`],
    }),
    "address-taken": ({ site, username, ...origin }) => ({
      subject: `Deine Adresse bei ${site} bleibt deine`,
      preheader: "Jemand möchte deine Adresse für ein anderes Konto verwenden.",
      heading: "Deine Adresse bleibt deine",
      paragraphs: [
        `Jemand, vermutlich du, möchte diese Adresse für ein anderes Konto bei ${site} verwenden. Sie gehört zum Konto ${username}, deshalb wurde nichts geändert.`,
        `Wenn du sie für das andere Konto verwenden willst, gib ${username} zuerst eine andere Adresse.`,
      ],
      button: null,
      closing: [askedFor(origin), `${nothingToDo} An deinem Konto hat sich nichts geändert.`],
    }),
    "unknown-address": ({ site, ...origin }) => ({
      subject: `Bei ${site} gibt es kein Konto mit dieser Adresse`,
      preheader: "Jemand wollte ein Passwort zurücksetzen, aber dieses Konto gibt es nicht.",
      heading: "Kein Konto mit dieser Adresse",
      paragraphs: [
        `Jemand, vermutlich du, hat bei ${site} ein neues Passwort angefordert. Zu dieser Adresse gibt es dort kein Konto.`,
        "Vielleicht hast du dich mit einer anderen Adresse registriert: Fordere das neue Passwort dann für diese an.",
      ],
      button: null,
      closing: [askedFor(origin), `${nothingToDo} Es gibt kein Konto, das in Gefahr sein könnte.`],
    }),
    reset: ({ site, username, ...origin }) => ({
      subject: `Neues Passwort für ${site}`,
      preheader: `Hier ist der Code für das Konto ${username}.`,
      heading: "Neues Passwort festlegen",
      paragraphs: [
        `Jemand, vermutlich du, hat für das Konto ${username} bei ${site} ein neues Passwort angefordert. Gib diesen Code ein, um es festzulegen:`,
      ],
      button: "Neues Passwort festlegen",
      closing: [
        askedFor(origin),
        codeLasts,
        `${nothingToDo} Dein Passwort bleibt, wie es ist. ${codeIsYours(site)}`,
      ],
    }),
    claim: ({ site, username, ...origin }) => ({
      subject: `Bestätige deine E-Mail-Adresse für ${site}`,
      preheader: `Das Konto ${username} wurde mit dieser Adresse übernommen.`,
      heading: "Bestätige deine E-Mail-Adresse",
      paragraphs: [
        `Willkommen zurück! Das Konto ${username} bei ${site} wurde mit dieser Adresse übernommen. Gib diesen Code ein, um zu bestätigen, dass sie dir gehört:`,
      ],
      button: "Adresse bestätigen",
      closing: [
        askedFor(origin),
        codeLasts,
        `${nothingToDo} Ohne den Code wird die Adresse nicht bestätigt. ${codeIsYours(site)}`,
      ],
    }),
    "change-mail": ({ site, username, ...origin }) => ({
      subject: `Bestätige deine neue E-Mail-Adresse für ${site}`,
      preheader: `Das Konto ${username} soll diese Adresse bekommen.`,
      heading: "Bestätige deine neue E-Mail-Adresse",
      paragraphs: [
        `Das Konto ${username} bei ${site} soll ab jetzt diese Adresse verwenden. Gib diesen Code ein, um sie zu bestätigen:`,
      ],
      button: "Neue Adresse bestätigen",
      closing: [
        askedFor(origin),
        codeLasts,
        "Wenn du davon nichts weißt, musst du nichts tun: Ohne den Code wird die Adresse nicht geändert. " +
          codeIsYours(site),
      ],
    }),
    "mail-changed": ({ site, username, newMail }) => ({
      subject: `Deine E-Mail-Adresse bei ${site} wurde geändert`,
      preheader: `Das Konto ${username} verwendet jetzt eine andere Adresse.`,
      heading: "Deine E-Mail-Adresse wurde geändert",
      paragraphs: [
        `Das Konto ${username} bei ${site} verwendet jetzt die Adresse ${newMail}. Die bisherige Adresse bekommt keine Mails mehr dazu. Alle anderen Geräte wurden abgemeldet.`,
      ],
      button: null,
      closing: [
        `Wenn du das nicht warst, schreib sofort dem Team von ${site}: Jemand anderes ist in deinem Konto.`,
      ],
    }),
    "password-changed": ({ site, username }) => ({
      subject: `Dein Passwort bei ${site} wurde geändert`,
      preheader: `Das Konto ${username} hat ein neues Passwort.`,
      heading: "Dein Passwort wurde geändert",
      paragraphs: [
        `Das Konto ${username} bei ${site} hat ein neues Passwort. Alle anderen Geräte wurden abgemeldet.`,
      ],
      button: null,
      closing: [
        `Wenn du das nicht warst, fordere bei ${site} sofort ein neues Passwort an und schreib dem Team: Jemand anderes ist in deinem Konto.`,
      ],
    }),
    "skin-removed": ({ site, username, skin, reason }) => ({
      subject: `Einer deiner Skins bei ${site} wurde entfernt`,
      preheader: `Er war in der Garderobe von ${username}.`,
      heading: "Dein Skin wurde entfernt",
      paragraphs: [
        `Das Team von ${site} hat den Skin „${skin}“ aus der Garderobe von ${username} entfernt. Falls du ihn getragen hast, trägst du jetzt den Standard-Skin. Der Grund:`,
        reason,
      ],
      button: null,
      closing: [
        `Wenn du diesen Skin nicht kennst, leg bei ${site} ein neues Passwort fest: Vielleicht ist jemand anderes in deinem Konto.`,
      ],
    }),
    leaving: ({ site, username, time }) => ({
      subject: `Dein Konto bei ${site} wird gelöscht`,
      preheader: `Bis ${time} kannst du das Konto ${username} behalten.`,
      heading: "Dein Konto wird gelöscht",
      paragraphs: [
        `Du möchtest das Konto ${username} bei ${site} löschen. Es wird am ${time} gelöscht, mit seinen Spielern, Skins und Umhängen. Alle Geräte wurden abgemeldet.`,
        "Wenn du es dir anders überlegst, melde dich vorher an und wähle „Konto behalten“:",
      ],
      button: "Anmelden und behalten",
      closing: [
        "Wenn du das nicht warst, melde dich an, behalte das Konto und ändere dein Passwort: Jemand anderes kennt es.",
      ],
    }),
    suspended: ({ site, username, end, reason }) => ({
      subject: `Dein Konto bei ${site} ist gesperrt`,
      preheader: `Bei ${username} kann sich gerade niemand anmelden.`,
      heading: "Dein Konto ist gesperrt",
      paragraphs: [
        `Das Team von ${site} hat das Konto ${username}${end === "" ? "" : ` bis ${end}`} gesperrt. Solange die Sperre gilt, kann sich niemand damit anmelden, weder auf der Website noch im Spiel. Alle Geräte wurden abgemeldet. Deine Spieler, Skins und Umhänge bleiben, wie sie sind.`,
        ...(reason === "" ? [] : ["Der Grund:", reason]),
      ],
      button: null,
      closing: [
        `Wenn du nichts davon weißt oder das für einen Irrtum hältst, schreib dem Team von ${site}: Vielleicht war jemand anderes in deinem Konto.`,
      ],
    }),
    test: ({ site }) => ({
      subject: `Testmail von ${site}`,
      preheader: "Wenn du das lesen kannst, kommen Mails an.",
      heading: "Mails kommen an",
      paragraphs: [
        `Das ist die Testmail von ${site}. Wenn du sie lesen kannst, stimmen die Mail-Einstellungen.`,
      ],
      button: null,
      closing: [
        `Das Team von ${site} hat sie verschickt, um die Einstellungen zu prüfen. Wenn du das nicht warst, musst du nichts tun.`,
      ],
    }),
    bulk: ({ site, username, subject, message }) => ({
      subject,
      preheader: message,
      heading: subject,
      paragraphs: [message],
      button: null,
      closing: [
        `Du bekommst diese Mail, weil das Konto ${username} bei ${site} diese Adresse hat. Wenn du solche Mails nicht mehr möchtest, nutze den Link am Ende; Codes und Hinweise zu deinem Konto bekommst du weiterhin.`,
      ],
    }),
  },
  frame: ({ site }) => ({
    openLink: "Oder öffne diesen Link:",
    footer: `Diese Mail wurde automatisch von ${site} verschickt. Antworten darauf werden nicht gelesen.`,
    play: "Spielen: was du in deinen Launcher einträgst",
    unsubscribe: "Solche Mails abbestellen",
  }),
  colon: ":",
};
