export const setup = {
  heading: "Einrichten",
  welcome: "Du legst den ersten Administrator dieses Servers an. Der Link dieser Seite gilt einmal.",
  create: "Administrator anlegen",
  created: (name: string) => `Willkommen, ${name}. Der Server gehört jetzt dir.`,
  noLink: "Öffne den Link, den der Server beim Start im Terminal zeigt. Alles hinter # gehört dazu.",
  isDone: "Dieser Server hat schon einen Administrator. Hier gibt es nichts mehr zu tun.",

  next: "Was als Nächstes zu tun ist",
  nextHelp:
    "Einstellungen stehen in der Umgebung oder in der Datei, die --config nennt; sie gelten nach einem Neustart. Die Werte hier sind Beispiele.",
  done: "Erledigt",
  open: "Offen",
  unknown: "Bitte nachsehen",
  setting: "Einstellung",
  settings: "Einstellungen",
  command: "Befehl",
  steps: {
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
