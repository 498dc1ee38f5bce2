export const setup = {
  heading: "Einrichten",
  welcome: "Du legst den ersten Administrator dieses Servers an. Der Link dieser Seite gilt einmal.",
  create: "Administrator anlegen",
  created: (name: string) => `Willkommen, ${name}. Der Server gehört jetzt dir.`,
  noLink: "Öffne den Link, den der Server beim Start im Terminal zeigt. Alles hinter # gehört dazu.",
  isDone: "Dieser Server hat schon einen Administrator. Hier gibt es nichts mehr zu tun.",

  fileHeading: "Einstellungen",
  fileHelp:
    "Einstellungen sind Zeilen einer Datei. Trage ein, was du weißt, kopiere die Zeilen in die Datei und starte den Server neu.",
  fill: "Trage ein, was du weißt",
  communityName: "Name deiner Community",
  colour: "Farbe von Knöpfen und Links",
  publicAddress: "Adresse, die Spieler erreichen",
  publicAddressHelp:
    "Zum Beispiel https://skins.example.org. Lass sie leer, bis diese Adresse zu diesem Server führt.",
  nameFault: "Schreib eine Zeile mit höchstens 60 Zeichen, darunter ein Buchstabe oder eine Ziffer.",
  addressFault: "Schreib eine Adresse wie https://skins.example.org, ohne Benutzernamen, ? und #.",
  nightlyBackup: "Jede Nacht eine Sicherung",
  copyBlock: "Kopiere diese Zeilen",
  blockHelp:
    "Eine Zeile, die mit # beginnt, ist ein Beispiel und hat keine Wirkung. Um sie zu nutzen, nimm das # weg und schreib deinen eigenen Wert hin.",
  blockLabel: "Zeilen für die Datei",
  copyLines: "Kopieren: Zeilen",
  putInto: "Füge sie in diese Datei ein",
  fileIsNew: "Die Datei gibt es noch nicht: Leg sie an.",
  fileIsThere: "Die Datei gibt es schon: Häng die Zeilen unten an.",
  fileChanged: "Die Datei wurde geändert, seit dieser Server läuft: Starte ihn neu.",
  fileRefused: "Mit dieser Datei startet der Server nicht wieder. Berichtige sie zuerst:",
  inContainer: "Der Pfad liegt im Container; docker cp bringt eine Datei dorthin.",
  copyPath: "Kopieren: Pfad",
  restart: "Starte den Server neu",
  restarts: {
    terminal: "Drück Strg+C in dem Terminal, in dem er läuft, und starte ihn wieder wie zuvor.",
    npm: "Drück Strg+C in dem Terminal, in dem er läuft, und starte ihn wieder wie zuvor:",
    systemd: "Führe als root aus:",
    container: "Starte seinen Container neu.",
    unknown: "Beende ihn und starte ihn wieder wie zuvor.",
  },
  thenLoad: "Lade dann diese Seite neu: Was gesetzt ist, steht als erledigt da.",
  loadAgain: "Seite neu laden",
  allGiven: "Alle Einstellungen dieser Seite sind gesetzt.",
  inFile: (names: string) => `Schon in der Datei: ${names}.`,
  beatsFile: (names: string) =>
    `In der Umgebung oder durch Optionen gesetzt, was vor der Datei gilt: ${names}.`,
  copyAddress: "Kopieren: Adresse",
  onlyHere: "Noch öffnet sie sich nur auf dieser Maschine. Setze zuerst die öffentliche Adresse.",
  copyCommand: (command: string) => `Kopieren: Befehl ${command}`,
  commandsIn: (folder: string) =>
    `Gib Befehle im Ordner ${folder} ein, in einem anderen Terminal. Der Server darf dabei laufen.`,

  next: "Was als Nächstes zu tun ist",
  done: "Erledigt",
  open: "Offen",
  unknown: "Bitte nachsehen",
  setting: "Einstellung",
  settings: "Einstellungen",
  steps: {
    invite: {
      title: "Spieler einladen",
      text: "Unter dieser Adresse legen Spieler ihre Konten an. Gib sie weiter, zum Beispiel auf eurem Discord.",
    },
    mail: {
      title: "Mails verschicken",
      text: "Codes für Registrierungen und neue Passwörter kommen per Mail. Ohne Mailserver wird jede Mail eine Datei im Datenordner.",
    },
    address: {
      title: "Öffentliche Adresse setzen",
      text: "Launcher, Spiele und Links in Mails benutzen die Adresse, die Spieler erreichen.",
    },
    tls: {
      title: "https einrichten",
      text: "Es schützt Passwörter unterwegs. Ein Proxy wie Caddy holt Zertifikate von selbst; ohne ihn nimmt der Server ein Zertifikat von dir.",
    },
    backups: {
      title: "Sicherungen planen",
      text: "Eine Sicherung enthält Konten, Skins und Schlüssel. Bewahre eine Kopie auf einer anderen Maschine auf.",
    },
    community: {
      title: "Deine Community vorstellen",
      text: "Name, Text, Links, Logo und Farbe der Startseite und der Mails.",
    },
  },
  check: "Alles prüfen",
  checkText:
    "Der Befehl sieht sich Einstellungen, Ordner, Mail, öffentliche Adresse und Sicherungen an und sagt, wie sich Fehler beheben lassen.",
  toOverview: "Übersicht öffnen",
};
