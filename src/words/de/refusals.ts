import { plural } from "../plural.ts";
import type { RefusalWords } from "../refusals.ts";

const characters = (count: number) => plural("de", count, { one: "1 Zeichen", other: `${count} Zeichen` });
const hours = (seconds: number) => {
  const count = Math.ceil(seconds / 3600);
  return plural("de", count, { one: "einer Stunde", other: `${count} Stunden` });
};
const again = "Versuche es in ein paar Sekunden erneut.";
const beginAgain = "Fang noch einmal an.";

export const refusals: RefusalWords = {
  setup_link_invalid:
    "Dieser Link gilt nicht, wurde schon benutzt oder stammt von einem früheren Start des Servers.",
  wrong_login: "Name oder Passwort stimmen nicht.",
  wrong_mail_login: "E-Mail oder Passwort stimmen nicht.",
  suspended: ({ until, reason }) =>
    `Dieses Konto ist${until === undefined ? "" : " bis {until}"} gesperrt${reason === undefined ? "." : ": {reason}"}`,
  mail_unconfirmed: "Bestätige zuerst deine E-Mail mit dem Code, der an sie ging.",
  registration_unfinished: "Schließ zuerst deine Registrierung ab: Wähle einen Namen.",
  registration_finished: "Diese Registrierung ist schon abgeschlossen.",
  sign_in_too_old:
    "Dafür muss deine Anmeldung frisch sein. Melde dich erneut an und versuche es noch einmal.",
  session_ended: "Deine Sitzung ist beendet. Melde dich erneut an.",
  session_unknown: "Diese Sitzung hast du nicht.",
  user_session_unknown: "Diese Sitzung hat die Person nicht.",
  sessions_of_staff: "Nur ein Administrator darf Sitzungen von Moderatoren und Administratoren beenden.",
  token_missing: "Melde dich an.",
  token_invalid: "Deine Sitzung gilt nicht mehr. Melde dich erneut an.",
  level_too_low: "Dein Konto hat nicht die Stufe, die das verlangt.",

  password_length: "Das Passwort muss {min} bis {max} Zeichen haben.",
  password_common: "Dieses Passwort ist eins der 10.000 häufigsten. Wähle ein anderes.",
  password_unset:
    "Dieses Konto hat noch kein Passwort. Schließ die Registrierung ab oder setze das Passwort zurück.",
  password_wrong: "Das ist nicht dein aktuelles Passwort.",
  password_changed: "Das Passwort wurde inzwischen geändert. Melde dich erneut an.",
  registration_password_wrong:
    "Dieses Passwort gehört zu keiner Registrierung mit dieser Adresse. Mit dem Code aus der Mail kannst du ein neues setzen.",
  password_missing: "Zum Namen gehört ein Passwort.",
  code_invalid:
    "Dieser Code ist falsch, wurde schon benutzt oder ist abgelaufen. Lass dir einen neuen schicken.",
  mail_invalid: "Das ist keine E-Mail-Adresse wie name@example.org.",
  mail_taken: "Zu dieser Adresse gibt es schon ein Konto.",
  mail_unchanged: "Das ist schon deine Adresse.",
  mail_unset: "Dein Konto hat keine E-Mail. Gib eine Adresse an.",
  user_mail_unset: "Diese Person hat keine E-Mail, die bestätigt sein könnte.",

  too_many: "Das waren zu viele Versuche. Versuche es {seconds} erneut.",
  too_many_at_once: `Das sind zu viele Anfragen auf einmal. ${again}`,
  too_many_requests: "Im Moment gibt es zu viele Anfragen. Versuche es {seconds} erneut.",
  too_many_mails: "An diese Adresse gingen zu viele Mails. Versuche es {seconds} erneut.",
  too_many_changes: "Von dir warten schon zu viele Änderungen. Warte, bis sie erledigt sind.",
  changes_busy: "Im Moment gibt es zu viele Änderungen. Versuche es gleich noch einmal.",
  too_many_uploads: ({ max }) =>
    plural("de", max, {
      one: "Von dir wird schon eine Datei hochgeladen. Versuche es erneut, wenn sie fertig ist.",
      other: `Von dir werden schon ${max} Dateien hochgeladen. Versuche es erneut, wenn eine fertig ist.`,
    }),
  too_many_exports:
    "Im Moment wird das Protokoll schon so oft exportiert wie möglich. Versuche es später erneut.",
  password_tried_too_often: `Das Passwort dieses Kontos wird gerade zu oft probiert. ${again}`,
  passwords_busy: `Im Moment werden zu viele Passwörter geprüft. ${again}`,
  passwords_of_address: `Von deiner Adresse kommen zu viele Passwörter auf einmal. ${again}`,
  pictures_busy: `Im Moment werden zu viele Bilder erzeugt. ${again}`,
  imports_busy: `Im Moment werden zu viele Bilder eingelesen. ${again}`,
  stopping: `Der Server wird gerade beendet. ${again}`,

  alias_unknown: "Diesen Namen zum Anmelden hast du nicht.",
  only_login:
    "Sonst könntest du dich nicht mehr anmelden. Wähle zuerst einen Spielernamen oder gib eine E-Mail an.",
  own_player_unknown: "Diesen Spieler hast du nicht.",
  player_unknown: "Kein Spieler heißt so oder hat diese UUID.",
  player_key_invalid: "Gib den Namen oder die UUID eines Spielers an.",
  not_a_username: "Gib einen Spielernamen an.",
  not_a_player_name: "Gib einen Spielernamen an.",
  name_taken: "Dieser Name ist schon vergeben.",
  name_held: "Dieser Name wurde vor Kurzem aufgegeben und bleibt noch für den früheren Besitzer reserviert.",
  name_pattern: "Dieser Name ist hier nicht erlaubt. Namen haben diese Form: {pattern}",
  name_invisible: "Ein Name darf keine Leerzeichen und keine unsichtbaren Zeichen enthalten.",
  name_digits: "Ein Name braucht mindestens ein Zeichen, das keine Ziffer ist.",
  name_scripts: "Ein Name darf keine Buchstaben verschiedener Schriften mischen.",
  name_reserved: "Der Name {name} ist reserviert.",
  renamed_too_often: ({ period, seconds }) =>
    `Ein Name lässt sich nur einmal in ${hours(period)} ändern. Versuche es in ${hours(seconds)} erneut.`,
  enough_players: ({ max }) =>
    plural("de", max, {
      one: "Dieses Konto darf nur einen Spieler haben.",
      other: `Dieses Konto darf nicht mehr als ${max} Spieler haben.`,
    }),
  main_player: "Der Hauptspieler steht für das Konto und verschwindet nur mit ihm.",
  user_unfinished:
    "Die Registrierung dieser Person ist nicht abgeschlossen: Den ersten Spieler bringt der Name.",
  uuid_taken: "Diese UUID gehört schon zu einem anderen Spieler oder Konto.",
  player_uuid_invalid:
    "Spiele lehnen diese UUID ab: Sie braucht Version 1 bis 5 und Variante 8, 9, a oder b.",

  identifier_invalid: "Gib eine Nummer, eine UUID, einen Namen oder eine E-Mail-Adresse an.",
  not_an_identifier: "Gib eine Nummer, eine UUID, einen Namen oder eine E-Mail-Adresse an.",
  user_unknown: "Es gibt kein Konto „{identifier}“.",
  user_uuid_unknown: "Es gibt kein Konto mit der UUID {uuid}.",
  last_administrator:
    "Das ist der letzte Administrator. Mach zuerst jemand anderen dauerhaft zum Administrator.",
  own_suspension: "Du kannst dich nicht selbst sperren.",
  too_many_to_sort: ({ max }) =>
    `Es gibt mehr als ${max} Treffer, das sind zu viele zum Sortieren. Gib mehr Buchstaben ein.`,
  search_too_short:
    "Gib mindestens {min} Zeichen (auf Chinesisch, Japanisch oder Koreanisch {wide}) oder eine ganze Nummer, UUID oder einen ganzen Namen ein.",
  line_invalid: ({ max }) =>
    `„{field}“ muss eine Zeile mit höchstens ${characters(max)} sein, ohne Steuerzeichen.`,
  ids_unknown: "Das gibt es nicht: {ids}",

  token_unknown: "Es gibt kein Token „{name}“.",
  token_of_settings: "Dieses Token steht in der Einstellung SERVICE_API_TOKEN und verschwindet nur dort.",
  token_name_invalid:
    "Ein Name hat 1 bis 32 Zeichen aus a-z 0-9 . _ - und beginnt mit einem Buchstaben oder einer Ziffer.",
  token_name_taken: "Ein Token mit diesem Namen gibt es schon.",
  token_name_reserved: "Der Name {name} ist reserviert.",
  enough_tokens: ({ max }) => `Mehr als ${max} Token sind nicht möglich. Widerrufe zuerst eins.`,

  mail_unknown: "Im Postausgang gibt es keine Mail {id}.",
  mail_sent: "Mail {id} ist schon verschickt.",
  mail_wiped: "Mail {id} ist zu alt: Ihr Inhalt ist gelöscht, sie lässt sich nicht mehr verschicken.",
  message_invalid: ({ max }) =>
    `Der Text muss 1 bis ${characters(max)} haben, ohne andere Steuerzeichen als Zeilenenden und Tabulatoren.`,
  mail_repeated: "Genau diese Mail ging vor weniger als zehn Minuten an alle.",
  not_a_mail: "Diese Mail gibt es nicht.",
  not_a_mailing: "Diese Rundmail gibt es nicht.",

  player_or_skin_unknown: "Kein Spieler und kein Skin heißt so oder hat diese UUID.",
  cape_or_skin_unknown: "Diesen Umhang oder Skin gibt es nicht.",
  cape_or_player_unknown: "Diesen Umhang oder Spieler gibt es nicht.",
  skin_unknown: "Diesen Skin gibt es nicht mehr.",
  cape_unknown: "Diesen Umhang gibt es nicht mehr.",
  named_cape_unknown: "Diesen Umhang gibt es nicht mehr.",
  saved_skin_unknown: "Diesen Skin gibt es nicht mehr.",
  saved_cape_unknown: "Diesen Umhang gibt es nicht mehr.",
  skin_not_in_wardrobe: "Dieser Skin liegt nicht in der Garderobe des Spielers.",
  own_skin_unknown: "Dieser Skin liegt nicht mehr in deiner Garderobe.",
  skin_not_in_users_wardrobe: "Dieser Skin liegt nicht in der Garderobe dieser Person.",
  wardrobe_full: ({ max }) =>
    plural("de", max, {
      one: "Die Garderobe ist voll: Sie fasst 1 Skin. Lösche ihn zuerst.",
      other: `Die Garderobe ist voll: Sie fasst ${max} Skins. Lösche zuerst einen.`,
    }),
  cape_not_granted: "Dieser Umhang ist nicht an das Konto vergeben.",
  no_slim_arms: "Ein Skin mit 64x32 Pixeln hat keine schmalen Arme.",
  no_slim_file: "Ein Skin mit 64x32 Pixeln hat keine schmalen Arme. Nimm einen mit 64x64.",
  skin_size: "Das Bild hat {size} Pixel. Ein Skin hat 64x64 oder 64x32 oder ein ganzes Vielfaches davon.",
  texture_name_invalid: ({ max }) =>
    `Ein Name hat 1 bis ${characters(max)} auf einer Zeile, ohne Steuerzeichen und unsichtbare Zeichen.`,
  skin_too_wide: "Das Bild ist {width} Pixel breit; hier sind höchstens {max} erlaubt.",
  own_players_skin: "Das ist dein eigener Spieler. Wähle den Skin in deiner Garderobe.",
  skin_not_shared: "{name} teilt diesen Skin nicht.",
  default_skin_shared: "{name} trägt einen Standardskin, den musst du nicht kopieren.",
  shared_skin_banned: "Dieses Bild ist hier gesperrt.",
  picture_banned: "Dieses Bild ist hier gesperrt. Nimm ein anderes.",
  picture_vanishes: "Dieses Bild wird gerade immer wieder gelöscht. Versuche es noch einmal.",
  ban_unknown: "Diese Sperre gibt es nicht mehr.",
  banned_already: "Dieses Bild ist schon gesperrt.",
  shown_by_cape: "Ein Umhang zeigt dieses Bild. Ein Administrator muss ihn zuerst löschen.",
  picture_unfit: "Das Bild lässt sich nicht lesen. Speichere es noch einmal als PNG.",
  picture_not_png: "Das Bild ist kein PNG. Speichere es als PNG; die Datei umzubenennen reicht nicht.",
  picture_animated: "Das Bild ist animiert. Nimm eins, das sich nicht bewegt.",
  picture_cut_off: "Das Bild ist unvollständig. Lade es noch einmal hoch.",
  picture_empty: "Das Bild hat keine Pixel.",
  picture_too_large: "Das Bild ist größer als {bytes}.",
  picture_too_wide:
    "Das Bild hat {width} x {height} Pixel; erlaubt sind höchstens {width_max} x {height_max}.",
  cape_size:
    "Das Bild hat {width} x {height} Pixel. Ein Umhang hat 64x32 Pixel oder ein ganzes Vielfaches davon.",
  skin_sheet_size:
    "Das Bild hat {width} x {height} Pixel. Ein Skin hat 64x64 oder 64x32 oder ein ganzes Vielfaches davon.",
  not_a_png_part: "Wähle eine PNG-Datei.",

  account_linked: "Dieses Konto ist schon mit einem anderen verbunden.",
  person_linked: "Das Konto der anderen Seite ist schon mit einem anderen Konto hier verbunden.",
  not_connected: "Mit dieser Anmeldung ist kein Konto verbunden. Leg eins an oder melde dich mit deinem an.",
  not_linked: "Dein Konto ist mit keiner anderen Seite verbunden.",
  no_provider: "Hier ist keine Anmeldung über andere Seiten eingerichtet.",
  provider_unknown: "Hier kann man sich nur anmelden über: {providers}",
  provider_fails: "Die Anmeldung über {provider} klappt im Moment nicht. Versuche es später erneut.",
  provider_refuses: `Die Anmeldung über {provider} wurde abgelehnt. ${beginAgain}`,
  state_foreign: `Die Anmeldung begann nicht in diesem Browser. ${beginAgain}`,
  state_old: `Die Anmeldung ist zu lange her. ${beginAgain}`,
  state_used: `Diese Anmeldung wurde schon benutzt. ${beginAgain}`,
  connection_invalid: `Diese Anmeldung wurde schon benutzt oder ist abgelaufen. ${beginAgain}`,
  sign_in_expired: `Diese Anmeldung wurde schon benutzt oder ist abgelaufen. ${beginAgain}`,

  gone_meanwhile: "Das wurde gerade gelöscht.",
  database_away: `Die Datenbank antwortet gerade nicht. ${again}`,
  database_reads_only:
    "Die Datenbank nimmt gerade keine Änderungen an. Versuche es in ein paar Minuten erneut.",
  database_contended: `Dasselbe wird gerade von anderen geändert. ${again}`,
  database_busy: `Die Datenbank hat gerade zu viel zu tun. ${again}`,
  passwords_away: `Passwörter lassen sich gerade nicht prüfen. ${again}`,
  pictures_away: `Der Speicher der Bilder antwortet gerade nicht. ${again}`,
  no_files: `Der Server kann gerade keine weiteren Dateien öffnen. ${again}`,
  no_space: "Auf dem Server ist kein Platz mehr.",
  nothing_here: "Unter dieser Adresse gibt es nichts.",
  address_invalid: "Unter dieser Adresse gibt es nichts.",
  not_an_id: "Unter dieser Adresse gibt es nichts.",
  not_a_user_id: "Unter dieser Adresse gibt es nichts.",
  request_invalid: "Der Server versteht diese Anfrage nicht. Lade die Seite neu.",
  body_invalid: "Der Server versteht diese Anfrage nicht. Lade die Seite neu.",
  other_site: "Das schickt die Seite einer anderen Website. Ihr Name muss in CORS_ORIGINS stehen.",
  not_own_page: "Das geht nur auf den Seiten dieses Servers. Öffne sie unter {place}.",
  not_own_page_proxy:
    "Das geht nur auf den Seiten dieses Servers. Hinter einem Proxy muss PUBLIC_URL ihre Adresse nennen.",
  body_too_large: "Das ist zu viel: Erlaubt sind höchstens {bytes}.",
  file_too_large: "Die Datei ist größer als {bytes}.",
  body_too_slow: "Das kam nicht schnell genug beim Server an. Versuche es noch einmal.",
  body_broke_off: "Die Verbindung brach ab. Versuche es noch einmal.",

  not_one_of: "„{field}“ muss eins von diesen sein: {values}",
  not_listed: "„{field}“ muss eins von diesen sein: {values}",
  not_some_of: "„{field}“: Wähle aus {values}",
  whole_number_range: "„{field}“ muss eine ganze Zahl von {min} bis {max} sein.",
  whole_number_range_or_null: "„{field}“ muss leer oder eine ganze Zahl von {min} bis {max} sein.",
  too_many_characters: ({ max }) => `„{field}“ darf höchstens ${characters(max)} haben.`,
  control_characters: "„{field}“ darf keine Steuerzeichen enthalten.",
  not_a_uuid: "„{field}“ muss eine UUID sein.",
  not_a_uuid_or_name: "Gib eine UUID oder einen Namen an.",
  too_many_user_ids: ({ max }) => `Wähle höchstens ${max} Personen.`,
  not_owners: ({ max }) => `Wähle alle, die Besitzer eines anderen Umhangs oder 1 bis ${max} Personen.`,
  not_a_time: "„{field}“ muss ein Zeitpunkt sein.",
  not_in_the_future: "„{field}“ muss in der Zukunft liegen.",
  nothing_to_change: "Es wurde nichts geändert.",
  not_a_row: "Die Liste hat sich geändert. Lade die Seite neu.",
  not_a_listed_row: "Die Liste hat sich geändert. Lade die Seite neu.",
  row_lost: "Die Liste hat sich geändert. Lade die Seite neu.",
  not_a_place: "Die Liste hat sich geändert. Lade die Seite neu.",
};
