import { refusal } from "../../kernel/refusal.ts";

/** Every refusal of the use cases and of the stores: each is written once, here. docs/contract/errors.md lists them. */
export const refusals = {
  // Signing in, and who may do what.
  badSetupSecret: refusal(
    "forbidden",
    "setup_link_invalid",
    "This link is not valid, was used, or is of an earlier start of the server",
  ),
  wrongLogin: refusal("unauthenticated", "wrong_login", "Invalid username or password"),
  unknownMail: refusal("invalid", "wrong_mail_login", "Invalid email or password"),
  invalidGameToken: refusal(
    "unauthenticated",
    "game_token_invalid",
    "This game token is not valid; sign in again",
  ),
  unconfirmed: refusal(
    "forbidden",
    "mail_unconfirmed",
    "Confirm your mail address first, with the code that was sent to it",
  ),
  unfinished: refusal(
    "forbidden",
    "registration_unfinished",
    "Finish your registration first: choose a username",
  ),
  finished: refusal("conflict", "registration_finished", "This registration is finished already"),
  sessionEnded: refusal("unauthenticated", "session_ended", "This session has ended; sign in again"),
  cookieTokenElsewhere: refusal(
    "unauthenticated",
    "token_only_in_cookie",
    "The console's token counts in its cookie alone; sign in by POST /api/auth/login",
  ),
  headerTokenElsewhere: refusal(
    "unauthenticated",
    "token_only_in_header",
    "This token counts in the Authorization header alone; sign in on the console's page",
  ),
  unboundToken: refusal(
    "not_found",
    "token_without_player",
    "This token belongs to no player: choose one by a refresh",
  ),
  unknownSession: refusal("not_found", "session_unknown", "You have no such session"),
  noSuchSession: refusal("not_found", "user_session_unknown", "This user has no such session"),
  sessionsOfStaff: refusal(
    "forbidden",
    "sessions_of_staff",
    "This user is a moderator or administrator: only an administrator may end their sessions",
  ),

  // Passwords, codes and mail addresses.
  passwordLength: refusal("invalid", "password_length", "must have {min} to {max} characters", "password"),
  passwordCommon: refusal(
    "invalid",
    "password_common",
    "is one of the 10,000 commonest passwords; choose another",
    "password",
  ),
  noPassword: refusal(
    "invalid",
    "password_unset",
    "this account has none yet; set one by finishing your registration or by resetting it",
    "password",
  ),
  wrongPassword: refusal("invalid", "password_wrong", "is not your current password", "password"),
  passwordChanged: refusal(
    "unauthenticated",
    "password_changed",
    "The password has changed meanwhile; sign in again",
  ),
  wrongRegistrationPassword: refusal(
    "invalid",
    "registration_password_wrong",
    "is not that of a registration with this address; with the code of the mail you can set a new one",
    "password",
  ),
  badCode: refusal("invalid", "code_invalid", "is wrong, was used or has expired; ask for a new one", "code"),
  badMail: refusal("invalid", "mail_invalid", "must be an address like name@example.org", "mail"),
  mailTaken: refusal("conflict", "mail_taken", "an account with this address exists already", "mail"),
  ownMail: refusal("conflict", "mail_unchanged", "is your address already", "mail"),
  noOwnMail: refusal("invalid", "mail_unset", "must be given: your account has no mail address", "mail"),
  noMailToVerify: refusal(
    "invalid",
    "user_mail_unset",
    "this user has no mail address that could be verified",
    "mailVerified",
  ),
  unknownSubscription: refusal("not_found", "subscription_unknown", "This link belongs to no account"),

  // Too many attempts, and too much at once.
  tooMany: refusal("limited", "too_many", "Too many {what|unsent}; try again in {seconds|duration}"),
  tooManyAtOnce: refusal(
    "limited",
    "too_many_at_once",
    "Too many {what|unsent} at once; try again in a few seconds",
  ),
  tooManyMails: refusal(
    "limited",
    "too_many_mails",
    "Too many mails were sent to this address: try again in {seconds|duration}; {hint|unsent}",
  ),
  tooManyWrites: refusal(
    "limited",
    "too_many_changes",
    "Too many of your changes wait for their turn: send the next ones when you have the answers to these",
  ),
  tooManyChanges: refusal("limited", "changes_busy", "Too many changes at once; try again in a moment"),
  tooManyUploads: refusal(
    "limited",
    "too_many_uploads",
    "You have {max} uploads under way: try again when one of them is done",
  ),
  tooManyExports: refusal(
    "limited",
    "too_many_exports",
    "{max} exports of the audit are under way, which is the most: try again when one has ended",
  ),
  passwordTriedTooOften: refusal(
    "limited",
    "password_tried_too_often",
    "This account's password is being tried too often; try again in a few seconds",
  ),
  passwordsBusy: refusal(
    "limited",
    "passwords_busy",
    "Too many passwords to check at once; try again in a few seconds",
  ),
  passwordsOfAddress: refusal(
    "limited",
    "passwords_of_address",
    "Too many passwords from your address at once; try again in a few seconds",
  ),
  signingBusy: refusal(
    "limited",
    "signing_busy",
    "Too many answers are being signed right now: try again in a few seconds",
  ),
  picturesBusy: refusal(
    "limited",
    "pictures_busy",
    "Too many pictures are being made right now: try again in a few seconds",
  ),
  importsBusy: refusal(
    "limited",
    "imports_busy",
    "Too many textures are being imported right now: try again in a few seconds",
  ),
  stopping: refusal("limited", "stopping", "The server is stopping: try again in a few seconds"),

  // Players and their names.
  noSuchPlayer: refusal("not_found", "own_player_unknown", "You have no such player"),
  unknownPlayer: refusal("not_found", "player_unknown", "No player has this uuid or username"),
  badPlayerKey: refusal("invalid", "player_key_invalid", "must be a player's UUID or name", "player"),
  notMayBeUsername: refusal("invalid", "not_a_username", "must be a username", "username"),
  nameTaken: refusal("conflict", "name_taken", "is taken already", "username"),
  nameHeld: refusal(
    "conflict",
    "name_held",
    "was given up a short while ago and is held for its former owner",
    "username",
  ),
  nameOutsidePattern: refusal("invalid", "name_pattern", "must match {pattern}", "username"),
  nameInvisible: refusal(
    "invalid",
    "name_invisible",
    "must hold no blanks and no invisible characters",
    "username",
  ),
  nameDigits: refusal(
    "invalid",
    "name_digits",
    "must hold at least one character that is no digit",
    "username",
  ),
  nameScripts: refusal("invalid", "name_scripts", "must not mix letters of several scripts", "username"),
  nameReserved: refusal("invalid", "name_reserved", "{name} is reserved", "username"),
  renamedTooOften: refusal(
    "limited",
    "renamed_too_often",
    "A username may be changed once in {period|hours}; try again in {seconds|hours}",
  ),
  enoughPlayers: refusal("conflict", "enough_players", "This account may have {max|players} and no more"),
  mainPlayer: refusal(
    "conflict",
    "main_player",
    "The main player stands for its account and goes with it alone",
  ),
  noMainPlayer: refusal(
    "conflict",
    "user_unfinished",
    "This user's registration is unfinished: the first player comes with the username",
  ),
  uuidTaken: refusal("conflict", "uuid_taken", "is the UUID of another player or account", "uuid"),
  badPlayerUuid: refusal(
    "invalid",
    "player_uuid_invalid",
    "must be of version 1 to 5 and of variant 8, 9, a or b: games refuse others",
    "uuid",
  ),

  // Users, as staff see them.
  badIdentifier: refusal(
    "invalid",
    "identifier_invalid",
    "must be an id, UUID, username or mail address",
    "identifier",
  ),
  unknownUser: refusal("not_found", "user_unknown", "No user is known as {identifier}"),
  unknownUuid: refusal("not_found", "user_uuid_unknown", "there is no user {uuid}", "uuid"),
  unknownAccount: refusal("not_found", "account_unknown", "No account is known by this"),
  lastAdministrator: refusal(
    "conflict",
    "last_administrator",
    "The last administrator can be neither demoted nor deleted: make somebody else one for good first",
  ),
  ambiguousPerson: refusal(
    "conflict",
    "person_ambiguous",
    "people of several social providers have this id",
    "socialId",
  ),
  noAccountKey: refusal("invalid", "account_key_missing", "must hold [[socialId]] or [[username]]", "body"),
  otherAccount: refusal(
    "invalid",
    "account_keys_differ",
    "must mean the same account as [[socialId]]",
    "username",
  ),
  tooManyToSort: refusal(
    "invalid",
    "too_many_to_sort",
    "finds more than {max} users, which is too many to sort them; give more letters, or leave order out",
    "search",
  ),
  searchTooShort: refusal(
    "invalid",
    "search_too_short",
    "must have {min} characters or more ({wide} where they are Chinese, Japanese or Korean), unless it is a whole id, UUID or username",
    "search",
  ),
  badLine: refusal(
    "invalid",
    "line_invalid",
    "must be one line of 1 to {max} characters, without control characters",
  ),
  unknownIds: refusal("invalid", "ids_unknown", "there is no {what|unsent} {ids}{more|more}"),

  // Service tokens.
  unknownService: refusal("unauthenticated", "service_token_invalid", "This service token is not valid"),
  unknownToken: refusal("not_found", "token_unknown", "There is no service token named {name}"),
  tokenOfSettings: refusal(
    "conflict",
    "token_of_settings",
    "This is the token of SERVICE_API_TOKEN: it goes when the setting changes",
  ),
  badTokenName: refusal(
    "invalid",
    "token_name_invalid",
    "must be 1 to 32 of a-z 0-9 . _ - and begin with a letter or a digit",
    "name",
  ),
  takenTokenName: refusal("conflict", "token_name_taken", "a token of this name exists already", "name"),
  reservedTokenName: refusal(
    "invalid",
    "token_name_reserved",
    "{name} is the name of {owner|unsent}",
    "name",
  ),
  enoughTokens: refusal(
    "conflict",
    "enough_tokens",
    "There are {max} service tokens, which is the most: revoke one first",
  ),
  missingRight: refusal(
    "forbidden",
    "right_missing",
    "This service token may not do this: it lacks the right {right}. An operator makes one that has it with token create NAME --may {rights}",
  ),

  // Mails.
  unknownOutboxMail: refusal("not_found", "mail_unknown", "There is no mail {id} in the outbox"),
  sentMail: refusal("conflict", "mail_sent", "Mail {id} was sent already"),
  wipedMail: refusal(
    "conflict",
    "mail_wiped",
    "Mail {id} is too old: its content is gone, so it cannot be sent",
  ),
  badMessage: refusal(
    "invalid",
    "message_invalid",
    "must have 1 to {max} characters, no control characters but line ends and tabs",
    "message",
  ),
  repeatedBulkMail: refusal(
    "conflict",
    "mail_repeated",
    "This very mail was sent to everybody less than ten minutes ago",
  ),

  // Skins, capes and files.
  unknownPlayerOrSkin: refusal(
    "not_found",
    "player_or_skin_unknown",
    "No player or skin has this uuid or username",
  ),
  unknownCapeOrSkin: refusal("not_found", "cape_or_skin_unknown", "No cape or skin has this id"),
  unknownCapeOrPlayer: refusal("not_found", "cape_or_player_unknown", "No cape and no player has this id"),
  noWings: refusal("not_found", "wings_missing", "There is no cape with wings for an elytra"),
  unknownSkin: refusal("not_found", "skin_unknown", "there is no skin {skin}", "skin"),
  unknownCape: refusal("not_found", "cape_unknown", "there is no cape {cape}", "cape"),
  unknownNamedCape: refusal("invalid", "named_cape_unknown", "there is no cape {cape}", "who"),
  notInWardrobe: refusal(
    "invalid",
    "skin_not_in_wardrobe",
    "the player's wardrobe holds no skin {skin}",
    "skin",
  ),
  notInYourWardrobe: refusal("not_found", "own_skin_unknown", "your wardrobe holds no skin {skin}", "skin"),
  notInUsersWardrobe: refusal(
    "invalid",
    "skin_not_in_users_wardrobe",
    "the user's wardrobe holds no skin {skin}",
    "skin",
  ),
  wardrobeFull: refusal(
    "invalid",
    "wardrobe_full",
    "the wardrobe holds {max} skins already; delete one first",
  ),
  capeNotGranted: refusal("invalid", "cape_not_granted", "the account was not granted a cape {cape}", "cape"),
  noSlimArms: refusal("invalid", "no_slim_arms", "a 64x32 skin has no slim arms", "model"),
  noSlimFile: refusal("invalid", "no_slim_file", "a 64x32 skin has no slim arms; send a 64x64 one", "model"),
  skinSize: refusal(
    "invalid",
    "skin_size",
    "is {size}; a skin is 64x64 or 64x32, or a whole multiple of one of them",
  ),
  hdDiffers: refusal("invalid", "hd_differs", "must be {hd}, for the skin's file is {size}", "hd"),
  badTextureName: refusal(
    "invalid",
    "texture_name_invalid",
    "must have 1 to {max} characters on one line, without controls, and invisible ones only within emoji and joined letters",
    "name",
  ),
  skinTooWide: refusal(
    "invalid",
    "skin_too_wide",
    "this skin is {width} pixels wide, and at most {max} are allowed here now",
  ),
  ownPlayersSkin: refusal(
    "invalid",
    "own_players_skin",
    "this player is your own: choose the skin in your wardrobe",
    "player",
  ),
  skinNotShared: refusal("invalid", "skin_not_shared", "{name} does not share this skin", "player"),
  defaultSkinShared: refusal(
    "invalid",
    "default_skin_shared",
    "{name} wears a default skin, which needs no copy",
    "player",
  ),
  sharedSkinBanned: refusal("invalid", "shared_skin_banned", "this picture is banned here", "player"),
  pictureBanned: refusal("invalid", "picture_banned", "this picture is banned here; choose another one"),
  pictureVanishes: refusal(
    "conflict",
    "picture_vanishes",
    "this picture is being deleted again and again; send it again",
  ),
  unknownBan: refusal("not_found", "ban_unknown", "there is no ban of {hash}", "hash"),
  bannedAlready: refusal("conflict", "banned_already", "{hash} is banned already", "hash"),
  shownByCape: refusal(
    "conflict",
    "shown_by_cape",
    "a cape shows the bitmap {hash}; an administrator has to delete the cape first",
    "hash",
  ),

  // Social accounts.
  linkedElsewhere: refusal(
    "conflict",
    "account_linked",
    "This account is linked to another social account already",
  ),
  personLinked: refusal(
    "conflict",
    "person_linked",
    "This social account is linked to another account already",
  ),
  notConnected: refusal(
    "not_found",
    "not_connected",
    "No account is linked to this social account: create one, or link yours by signing in to it",
  ),
  notLinked: refusal("conflict", "not_linked", "No social account is linked to yours"),
  noProvider: refusal("invalid", "no_provider", "No social provider is set up here"),
  unknownProvider: refusal("invalid", "provider_unknown", "must be {providers}", "provider"),
  providerFails: refusal(
    "upstream",
    "provider_fails",
    "Signing in through {provider} does not work at the moment; try again later",
  ),
  providerRefuses: refusal(
    "invalid",
    "provider_refuses",
    "Signing in through {provider} was refused; begin again",
  ),
  noProviderCode: refusal("invalid", "provider_code_missing", "must be given", "code"),
  noState: refusal(
    "invalid",
    "state_missing",
    "must be given; begin at GET /auth/social/login of this server",
    "state",
  ),
  foreignState: refusal(
    "invalid",
    "state_foreign",
    "is not what this browser began with; begin again",
    "state",
  ),
  oldState: refusal("invalid", "state_old", "is too old; begin again", "state"),
  usedState: refusal("invalid", "state_used", "was used already; begin again", "state"),
  badConnection: refusal(
    "invalid",
    "connection_invalid",
    "[[personId]] and [[connectionId]] do not belong together, or were used, or have expired; begin again",
    "connection",
  ),

  // What is out of order on the server's side.
  goneMeanwhile: refusal("conflict", "gone_meanwhile", "What this belongs to has just been deleted"),
  unavailable: refusal(
    "unavailable",
    "database_away",
    "The database does not answer right now: try again in a few seconds",
  ),
  readsOnly: refusal(
    "unavailable",
    "database_reads_only",
    "The database takes no changes right now: try again in some minutes",
  ),
  contended: refusal(
    "unavailable",
    "database_contended",
    "Others change the same right now: try again in a few seconds",
  ),
  busy: refusal(
    "unavailable",
    "database_busy",
    "The database has too much to do right now: try again in a few seconds",
  ),
  passwordsAway: refusal(
    "unavailable",
    "passwords_away",
    "Passwords cannot be checked at the moment; try again in a few seconds",
  ),
  picturesAway: refusal(
    "unavailable",
    "pictures_away",
    "Pictures are stored elsewhere, and that place does not answer right now: try again in a few seconds",
  ),
  noFiles: refusal(
    "unavailable",
    "no_files",
    "The server can open no more files right now: try again in a few seconds",
  ),
  noSpace: refusal("no_space", "no_space", "No space is left on the server's disk"),
} as const;
