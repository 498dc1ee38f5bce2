import { plural } from "../../plural.ts";

export const account = {
  show: "Zeigen",
  passwordRule: (least: number) => `Mindestens ${least} Zeichen. Ein paar Wörter sind ein gutes Passwort.`,
  currentPassword: "Aktuelles Passwort",

  nowCalled: (name: string) => `Du heißt ${name}. Ein früherer Name bleibt eine Weile für dich reserviert.`,
  newPlayerName: "Neuer Spielername",
  changeName: "Namen ändern",
  nameChanged: (name: string) => `Du heißt jetzt ${name}`,

  passwordHelp: "Alle deine anderen Sitzungen enden.",
  changePassword: "Passwort ändern",
  passwordChanged: "Passwort geändert",
  noPassword: (name: string) =>
    `Du meldest dich über eine andere Seite an, und dein Name ${name} stammt von dort. Wähle einmal Namen und Passwort: Dann kannst du dich auch hier und in Launchern anmelden.`,
  chooseBoth: "Namen und Passwort wählen",

  mailNow: (mail: string) => `Deine Adresse ist ${mail}. An eine neue geht zuerst ein Code.`,
  mailUnconfirmed: (mail: string) =>
    `Deine Adresse ${mail} ist noch nicht bestätigt. Ein Code geht an sie oder an eine neue.`,
  mailNone: "Dein Konto hat noch keine Adresse. An eine neue geht zuerst ein Code.",
  newMail: "Neue E-Mail",
  codeOnItsWay: (mail: string) => `Ein Code ist unterwegs an ${mail}`,
  confirmMailHeading: "Bestätige deine neue E-Mail",
  confirmMailHelp: "Gib den Code ein, der an die neue Adresse ging. Alle deine anderen Sitzungen enden.",
  mailChanged: "E-Mail geändert",

  connections: "Verbindungen",
  connectedAs: (name: string) => `Du bist als ${name} verbunden und darfst dich so anmelden.`,
  connectHelp: "Verbinde dein Konto, um dich ohne Passwort anzumelden.",
  connect: (provider: string) => `${provider} verbinden`,
  disconnect: "Trennen",
  disconnected: "Getrennt",

  players: "Spieler",
  playersHelp: (most: number) =>
    plural("de", most, {
      one: "Dein Konto darf einen Spieler haben.",
      other: `Dein Konto darf ${most} Spieler haben. Sie teilen sich Skins, Umhänge und Passwort.`,
    }),
  mainPlayer: "Hauptspieler",
  newPlayer: "Neuer Spieler",
  name: "Name",
  addPlayer: "Spieler hinzufügen",
  newPlayerHelp: "Eine weitere Figur von dir, mit eigenem Aussehen.",
  renameHelp:
    "Spiele sehen den neuen Namen bei der nächsten Anmeldung. Der frühere bleibt eine Weile für dich reserviert.",
  playerAdded: (name: string) => `${name} ist da`,
  playerRenamed: (before: string, after: string) => `${before} heißt jetzt ${after}`,
  deletePlayerHelp:
    "Der Spieler verlässt das Spiel endgültig. Sein Name bleibt eine Weile für dich reserviert; Skins und Umhänge bleiben.",

  sessions: "Sitzungen",
  sessionsHelp: "Wo du angemeldet bist: auf dieser Website und in Launchern.",
  thisDevice: "Dieses Gerät",
  web: "Website",
  game: "Spiel",
  unknownProgram: "Unbekanntes Programm",
  usedAgo: (ago: string) => `zuletzt benutzt ${ago}`,
  endSession: "Sitzung beenden",
  endSessionOf: (program: string) => `Sitzung beenden: ${program}`,
  sessionEnded: "Sitzung beendet",

  aliases: "Alte Namen zum Anmelden",
  aliasesHelp:
    "Sie stammen von dem Server, auf dem du früher gespielt hast. Du kannst dich mit ihnen anmelden; andere sehen sie nicht.",
  aliasSince: (day: string) => `gültig seit ${day}`,
  aliasRemoved: (name: string) => `Mit ${name} kannst du dich nicht mehr anmelden`,

  export: "Export",
  exportHelp:
    "Ein Zip-Archiv mit allem, was über dich gespeichert ist: Profil, Spieler, Skins, Umhänge, Sitzungen, Mails und was das Team getan hat. Du kannst es dreimal am Tag herunterladen.",
  freshSignIn: "Das geht bis 15 Minuten nach der Anmeldung.",
  download: "Meine Daten herunterladen",
  downloaded: "Deine Daten sind heruntergeladen",

  deleteAccount: "Konto löschen",
  deleteAccountHelp:
    "Deine Spieler, Skins und Umhänge werden mit gelöscht, und alle deine Sitzungen enden jetzt.",
  deleteDays: (days: number) =>
    days === 0
      ? "Das Konto wird sofort und endgültig gelöscht."
      : `Du kannst dich noch ${plural("de", days, { one: "einen Tag", other: `${days} Tage` })} lang anmelden und das Konto behalten.`,
  deleteNeedsPassword: "Dafür brauchst du ein Passwort, und dein Konto hat noch keins. Wähle zuerst eins.",
  accountLeavesOn: (moment: string) =>
    `Dein Konto wird am ${moment} gelöscht. Melde dich vorher an, um es zu behalten.`,
  accountGone: "Dein Konto ist gelöscht",
};
