import { refusal } from "../../kernel/refusal.ts";

/**
 * What is refused because there is too much of it, or because the server cannot do it now. `refusals.ts` has
 * them all.
 */
export const busyRefusals = {
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
