import type { FindingWords } from "../../findings.ts";

const setPublicUrl = "setze sie auf die Adresse, die Spieler aufrufen";
const pathForwarded = "läuft der Server, und leitet der Proxy den ganzen Pfad weiter?";
const whereItLeads = "prüfe DATA_DIR oder DATABASE_URL, und wohin der Proxy führt";
const sameSettings =
  "gib jedem Knoten denselben Wert und starte die neu, die einen anderen hatten (docs/operate/scale-out.md)";
const backUpNow = "cloakroom backup macht jetzt eine";

const refusedFor: Readonly<Record<string, string>> = {
  untrusted: ", dem diese Maschine nicht vertraut",
  unchained: " ohne seine Kette oder von einer Stelle, der diese Maschine nicht vertraut",
  expired: ", das abgelaufen ist",
  early: ", das noch nicht gilt",
  other_name: " für einen anderen Namen",
};

function renewal(cause: unknown, setting: unknown, own: unknown): string {
  switch (cause) {
    case "untrusted":
      return own === true
        ? "hole eins von einer Stelle, die Browser kennen; wenn deine eigene es ausgestellt hat, nenne ihr Zertifikat in NODE_EXTRA_CA_CERTS"
        : "wenn deine eigene Stelle es ausgestellt hat, nenne ihr Zertifikat in NODE_EXTRA_CA_CERTS; sonst antwortet vielleicht ein anderer Server";
    case "unchained":
      return `${own === true ? "liefere die ganze Kette aus (fullchain.pem von certbot)" : "lass ihn die ganze Kette ausliefern"}; wenn deine eigene Stelle es ausgestellt hat, nenne ihr Zertifikat in NODE_EXTRA_CA_CERTS`;
    case "expired":
      return own === true
        ? "erneuere es und lass den Proxy das neue laden; neue Dateien von TLS_CERT nimmt ein Server von selbst. Wenn es noch gilt, stelle die Uhr dieser Maschine"
        : "sein Betreiber muss es erneuern. Wenn es noch gilt, stelle die Uhr dieser Maschine";
    case "early":
      return "stelle die Uhren beider Maschinen mit NTP";
    default:
      return own === true
        ? `hole eins für den Host von ${String(setting)}, oder gib ${String(setting)} einen Namen, den es hat`
        : `nenne den Host in ${String(setting)} so wie sein Zertifikat`;
  }
}

export const findings: FindingWords = {
  topics: {
    settings: "Einstellungen",
    disk: "Festplatte",
    clock: "Uhr",
    nodes: "Knoten",
    "mail server": "Mailserver",
    certificate: "Zertifikat",
    "public address": "Öffentliche Adresse",
    launchers: "Launcher",
    backups: "Sicherungen",
    "open files": "Offene Dateien",
    database: "Datenbank",
    textures: "Texturen",
    outbox: "Postausgang",
  },
  texts: {
    settings_file_unread: [
      "{file} wird nicht gelesen, weil --config eine andere Datei nennt",
      "schreibe alle Einstellungen in eine der beiden, und starte ohne --config, wenn es die im Datenordner ist",
    ],
    setting_misspelt: [
      "{name} (Umgebung) ist keine Einstellung; war {setting} gemeint?",
      "gib ihr diesen Namen oder nimm sie heraus",
    ],
    setting_without_provider: [
      "{setting} bewirkt nichts: SOCIAL_PROVIDERS nennt den Anbieter nicht",
      "nenne ihn dort oder nimm die Einstellung heraus",
    ],
    public_url_unset_behind_proxy: [
      "PUBLIC_URL ist nicht gesetzt, obwohl ein Proxy vor diesem Server steht: hinter einem mit TLS kann sich in der Konsole niemand anmelden",
      setPublicUrl,
    ],
    public_url_unset: [
      "PUBLIC_URL ist nicht gesetzt: Adressen von Texturen beginnen mit {address}",
      setPublicUrl,
    ],
    trusted_proxies_unset: [
      "TRUSTED_PROXIES ist nicht gesetzt, obwohl ein Proxy vor diesem Server steht: alle Clients zählen als einer",
      "setze sie auf die Adresse des Proxys, 127.0.0.1, wenn er auf dieser Maschine läuft",
    ],
    database_unverified: [
      "DATABASE_URL hat sslmode={mode}: eine andere Maschine kann sich als Datenbank ausgeben",
      "nimm sslmode=verify-full, mit sslrootcert für eine eigene Stelle",
    ],
    drain_seconds_zero: [
      "DRAIN_SECONDS ist 0: ein Load-Balancer schickt Anfragen an diesen Knoten, bis er merkt, dass er geschlossen ist",
      "setze ein paar Sekunden mehr als den Abstand, in dem der Load-Balancer /health/ready fragt",
    ],
    username_pattern_wide: [
      "USERNAME_PATTERN {pattern} lässt Namen mit Leerzeichen, unsichtbaren Zeichen oder service: davor zu",
      "schließe sie aus: kein Spieler kann so heißen, was auch immer das Muster sagt",
    ],
    limits_off: [
      "RATE_LIMIT_FACTOR ist 0: das Raten von Passwörtern und Codes ist nicht begrenzt",
      "nimm die Einstellung heraus, sie ist nur für Tests",
    ],
    address_unencrypted: [
      ({ setting, address, cookie }) =>
        `${String(setting)} ist ${String(address)}: Passwörter werden unverschlüsselt gesendet${cookie === true ? ", und was auf diesem Host lauscht, bekommt das Cookie der Konsole" : ""}`,
      "stelle auf https um",
    ],
    smtp_unset: [
      "SMTP_URL ist nicht gesetzt: Mails mit Codes landen in Dateien und erreichen niemanden",
      "setze sie auf deinen Mailserver",
    ],
    mail_sender_local: ["Absender der Mails ist {sender}, das nimmt kein Mailserver an", "setze MAIL_FROM"],
    backups_unscheduled: [
      "es sind keine Sicherungen geplant",
      "setze BACKUP_SCHEDULE, oder starte cloakroom backup mit deinem eigenen Zeitplaner",
    ],
    backup_secrets_open: [
      "Sicherungen gehen mit unverschlüsselten Geheimnissen in einen Bucket",
      "setze BACKUP_PASSPHRASE",
    ],

    disk_low: [
      "{free} sind frei, die Datenbank hat {database}",
      "schaffe Platz: eine Sicherung braucht die doppelte Größe der Datenbank",
    ],
    disk_full: [
      "{free} sind frei",
      "schaffe Platz: ist die Festplatte voll, schlagen Uploads und Anmeldungen fehl",
    ],
    texture_disk_low: ["auf der Festplatte der Texturen sind {free} frei", "schaffe Platz"],
    texture_disk_full: [
      "auf der Festplatte der Texturen sind {free} frei",
      "schaffe Platz: ist sie voll, schlagen Uploads fehl",
    ],
    clock_behind: [
      "die neueste Zeile ist vom {newest}, das liegt in der Zukunft",
      "stelle die Uhr dieser Maschine und halte sie mit NTP richtig",
    ],
    open_files_few: [
      "dieser Server darf nur {most} Dateien zugleich öffnen, Verbindungen mitgezählt",
      "erlaube {least} oder mehr: LimitNOFILE im Dienst, ulimit -Hn vor einem Start von Hand, --ulimit nofile oder ulimits von Docker",
    ],

    nodes_versions: ["auf den Knoten laufen {versions}", "bringe alle auf dieselbe Version"],
    nodes_textures_apart: [
      "BLOBS ist files, und es gibt mehrere Knoten: jeder braucht dieselben Dateien",
      "setze BLOBS auf einen Bucket, oder gib allen ein DATA_DIR auf einem gemeinsamen Dateisystem",
    ],
    nodes_public_url_unset: [
      "PUBLIC_URL ist nicht gesetzt, und es gibt mehrere Knoten: Adressen von Texturen und in Mails führen zu dem, der sie gemacht hat",
      "stoppe alle Knoten, setze auf jedem PUBLIC_URL auf die Adresse des Load-Balancers und starte sie",
    ],
    nodes_public_url_other: [
      "PUBLIC_URL ist anders als auf {nodes}: Anmeldungen auf einem Knoten gelten auf dem anderen nicht",
      sameSettings,
    ],
    nodes_setting_other: ["{setting} dieser Maschine ist anders als auf {nodes}", sameSettings],

    mail_server_refuses: [
      "{place}: {reason}",
      "prüfe SMTP_URL: Host, Port, smtp oder smtps, Benutzer und Passwort",
    ],
    address_silent: [
      "{address} antwortet nicht: {reason}",
      "läuft der Server, und führen Name und Proxy zu ihm?",
    ],
    address_foreign: [
      "{address} antwortet, aber nicht als cloakroom (Status {status})",
      "setze PUBLIC_URL auf die Adresse, die der Proxy an diesen Server weiterleitet, samt Pfad",
    ],
    address_clock: [
      "seine Uhr und die dieser Maschine gehen {seconds} Sekunden auseinander",
      "stelle beide mit NTP",
    ],
    address_other_data: [
      "{address} führt zu einem cloakroom mit anderen Daten: er kennt eine Textur nicht, die hier ist",
      whereItLeads,
    ],
    texture_changed: [
      "{address} liefert eine andere Datei als die hiesige, oder ohne ihr ETag",
      "kein Proxy oder CDN darf Bilder oder ihre Header ändern; wenn das nicht der Grund ist, prüfe, wohin der Proxy führt",
    ],
    texture_refused: [
      "{address} antwortet mit Status {status} auf eine Textur, die hier ist",
      "den Grund nennen das Protokoll des Servers und doctor bei Texturen und ihrem Bucket",
    ],
    texture_foreign: [
      "auf {address} antwortet etwas anderes (Status {status})",
      "der Proxy muss jeden Pfad unter PUBLIC_URL an diesen Server weiterleiten, auch /textures",
    ],
    launchers_address_unset: [
      "PUBLIC_URL ist nicht gesetzt: Spiele auf anderen Maschinen suchen Skins dort, wo dieser Server lauscht",
      "setze sie auf die Adresse, die Spieler in ihren Launcher eingeben",
    ],
    launchers_address_local: [
      "Spiele auf anderen Maschinen finden unter {host} keine Skins",
      "setze PUBLIC_URL auf einen Namen, den sie kennen",
    ],
    launchers_unencrypted: [
      "Launcher senden Passwörter und Tokens unverschlüsselt an {address}",
      "stelle auf https um",
    ],
    launchers_unreadable: ["Launcher können {address} nicht lesen: {reason}", pathForwarded],
    launchers_status: ["Launcher können {address} nicht lesen: Antwort mit Status {status}", pathForwarded],
    launchers_foreign: [
      "Launcher können {address} nicht lesen: dort antwortet etwas anderes als cloakroom",
      pathForwarded,
    ],
    launchers_certificate: [
      ({ address, cause }) =>
        `Launcher können ${String(address)} nicht lesen: ein Zertifikat${refusedFor[String(cause)] ?? ", das nicht passt"}`,
      ({ cause }) => renewal(cause, "PUBLIC_URL", true),
    ],
    launchers_other_host: [
      "der Server kündigt an, dass Skins von {announced} kommen, ihre Adressen beginnen aber mit {host}",
      "gib dem Server dieselbe PUBLIC_URL und starte ihn neu",
    ],
    launchers_other_key: ["{address} kündigt einen anderen Schlüssel an als den hiesigen", whereItLeads],

    certificate_refused: [
      ({ by, cause }) =>
        `${String(by)} zeigt ein Zertifikat${refusedFor[String(cause)] ?? ", das nicht passt"}`,
      ({ cause, setting, own }) => renewal(cause, setting, own),
    ],
    certificate_unusable: [
      "{reason}",
      "setze ein Zertifikat mit Kette und eigenem Schlüssel, als PEM-Dateien, die der Benutzer des Servers lesen darf",
    ],
    certificate_early: [
      "das Zertifikat aus TLS_CERT gilt erst ab {from}: bis dahin lehnen Clients es ab",
      "stelle die Uhr dieser Maschine, oder nimm bis dahin das vorige Zertifikat",
    ],
    certificate_ended: [
      "das Zertifikat aus TLS_CERT endete am {end}: Clients lehnen es ab",
      "erneuere es: neue Dateien nimmt der Server ohne Neustart. Wenn es noch gilt, stelle die Uhr dieser Maschine",
    ],
    certificate_ending: [
      "das Zertifikat aus TLS_CERT endet am {end}",
      "erneuere es, und finde heraus, warum das nicht von selbst geschieht",
    ],
    certificate_other_name: [
      "das Zertifikat aus TLS_CERT nennt nicht {host}, den Host von PUBLIC_URL, sondern {names}",
      "hole eins für diesen Namen: Clients lehnen dieses ab, außer ein Proxy zeigt ihnen ein anderes",
    ],

    backups_late: [
      "{count} in {place}, die neueste ist {hours} Stunden alt",
      "suche Fehler im Protokoll des Servers, oder versuche cloakroom backup",
    ],
    backups_none: ["in {place} liegt noch keine", `${backUpNow} und zeigt, ob es gelingt`],
    backup_folder_unusable: [
      "BACKUP_DIR {folder} ist nicht benutzbar: {reason}",
      "gib den Ordner dem Benutzer des Servers, oder setze BACKUP_DIR auf einen, in den er schreiben darf",
    ],
    backups_unreadable: [
      "{reason}",
      "prüfe die Einstellungen S3_, oder welcher Benutzer BACKUP_DIR lesen darf",
    ],
    backup_from_future: [
      "{name} ist aus der Zukunft",
      "stelle die Uhr, lösche die Datei oder benenne sie um",
    ],
    backup_incomplete: [
      "in {name} fehlen Texturen, die verloren sind",
      "siehe cloakroom fsck; vollständige Sicherungen bleiben daneben",
    ],
    backup_unreadable: ["{reason}", `verschiebe die Datei; ${backUpNow}`],
    backup_foreign: [
      ({ name, empty }) =>
        `${String(name)} ist keine Sicherung${empty === true ? ": die Datei ist leer" : ""}`,
      `lösche die Datei; ${backUpNow}`,
    ],

    database_unwritable: [
      "sie lässt sich nicht beschreiben: Änderungen werden abgelehnt",
      "das Protokoll des Servers sagt warum, cloakroom doctor, was zu tun ist",
    ],
    textures_unwritable: [
      "sie lassen sich nicht schreiben: Uploads schlagen fehl",
      "das Protokoll des Servers sagt warum, cloakroom doctor, was zu tun ist",
    ],
    mails_stuck: [
      "Mails gehen nicht hinaus",
      "sieh in den Postausgang und auf die Antworten des Mailservers",
    ],
    check_failed: ["{reason}", "{remedy}"],
    check_late: [
      "keine Antwort in {seconds} Sekunden",
      "behebe, was hier steht, dann starte cloakroom doctor",
    ],
    file_refused: ["{reason}", "berichtige oder lösche die Datei"],
  },
};
