import { refusal } from "../../kernel/refusal.ts";

/** What accounts, their players and their owners are refused. `refusals.ts` has them all. */
export const accountRefusals = {
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
  suspended: refusal("forbidden", "suspended", "This account is suspended{until|until}{reason|unsent}"),
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
  signInTooOld: refusal(
    "forbidden",
    "sign_in_too_old",
    "This takes a sign-in of the last {minutes} minutes: sign in again first",
  ),
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

  unknownAlias: refusal("not_found", "alias_unknown", "You have no such name for signing in"),
  onlyLogin: refusal(
    "conflict",
    "only_login",
    "Nothing else signs you in: choose a username or set a mail address first",
  ),

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
} as const;
