import { plural } from "../../plural.ts";

const people = (count: number) => plural("de", count, { one: "1 Person", other: `${count} Personen` });

export const grants = {
  action: "Was soll geschehen?",
  give: "Geben",
  take: "Wegnehmen",
  giveThing: (name: string) => `${name} geben`,
  takeThing: (name: string) => `${name} wegnehmen`,
  takeFrom: (name: string) => `Wegnehmen: ${name}`,
  who: "Wer",
  people: "Einzelne",
  everybody: "Alle",
  ownersOf: "Die Besitzer eines anderen Umhangs",
  otherCape: "Der andere Umhang",
  chooseFirst: "Wähle zuerst jemanden aus",
  chooseCape: "Wähle zuerst den anderen Umhang",
  endHelp: "Leer: nie. Wer den Umhang schon hat, behält sein Ende.",
  giveEverybody: (count: number) =>
    `Alle, die jetzt ein Konto haben und den Umhang nicht, bekommen ihn: ${people(count)}. Wer sich später registriert, bekommt ihn nicht.`,
  giveOwners: (count: number, other: string) =>
    `Die Besitzer von ${other}, die den Umhang nicht haben, bekommen ihn: höchstens ${people(count)}. Wer ${other} später bekommt, bekommt ihn nicht.`,
  takeEverybody: (count: number) =>
    `Alle Besitzer verlieren den Umhang: ${people(count)}. Er verschwindet von ihren Skins. Das lässt sich nicht rückgängig machen.`,
  takeOwners: (count: number, other: string) =>
    `Die Besitzer von ${other} verlieren diesen Umhang: höchstens ${people(count)}. Er verschwindet von ihren Skins. Das lässt sich nicht rückgängig machen.`,
  stepByStep:
    "Es geht weiter, solange dies offen ist. Wird es unterbrochen, wiederhole es: was getan ist, bleibt.",
  soFar: (count: number) => `Bisher: ${people(count)}`,
  given: (count: number) =>
    plural("de", count, { one: "1 Person hat ihn bekommen", other: `${count} Personen haben ihn bekommen` }),
  taken: (count: number) =>
    plural("de", count, { one: "1 Person hat ihn verloren", other: `${count} Personen haben ihn verloren` }),

  roleOf: (name: string, level: string) => `Rolle von ${name}: ${level}`,
  makesAdministrator: (name: string) =>
    `${name} darf dann hier alles ändern: Benutzer und ihre Rollen, auch deine, Umhänge, Mails an alle und Tokens.`,
  makesModerator: (name: string) =>
    `${name} sieht dann alle Benutzer mit ihren Mailadressen und das Protokoll, und darf Skins ändern und löschen.`,
  losesAdministration:
    "Das ist deine eigene Rolle. Du kannst dann Benutzer, Umhänge und das Protokoll ansehen und Skins moderieren, aber keine Benutzer, Rollen, Umhänge oder Mails ändern. Nur ein anderer Administrator kann sie dir zurückgeben.",
  losesStaff:
    "Das ist deine eigene Rolle. Du kannst dann keine Seite der Verwaltung mehr öffnen. Nur ein anderer Administrator kann sie dir zurückgeben.",
  roleUntil: (end: string, level: string) => `Bis ${end}, danach: ${level}.`,
};
