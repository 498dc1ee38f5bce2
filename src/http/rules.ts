import { refusal } from "../kernel/refusal.ts";

/**
 * What fields of requests break. A schema holds one as `rule: rules.uuid.of()`; a reader that looks closer
 * throws the same with the field: `rules.uuid({ field })`.
 */
export const rules = {
  // Kinds of values.
  object: refusal("invalid", "not_an_object", "must be an object"),
  list: refusal("invalid", "not_a_list", "must be a list"),
  text: refusal("invalid", "not_a_text", "must be a text"),
  flag: refusal("invalid", "not_a_flag", "must be true or false"),
  whole: refusal("invalid", "not_a_whole_number", "must be a whole number"),
  number: refusal("invalid", "not_a_number", "must be a number"),
  other: refusal("invalid", "not_valid", "{what|unsent}"),

  // Choices and bounds.
  is: refusal("invalid", "not_the_value", "must be {value}"),
  oneOf: refusal("invalid", "not_one_of", "must be {values}"),
  oneOfListed: refusal("invalid", "not_listed", "must be one of {values}"),
  oneOfOrAbsent: refusal("invalid", "not_one_of_or_absent", "must be {values}, or be left out"),
  someOf: refusal("invalid", "not_some_of", "must be a list of some of {values}"),
  wholeFrom: refusal("invalid", "whole_number_range", "must be a whole number from {min} to {max}"),
  wholeFromOrNull: refusal(
    "invalid",
    "whole_number_range_or_null",
    "must be a whole number from {min} to {max}, or null",
  ),
  oneText: refusal("invalid", "not_one_text", "must be one text"),
  charactersMax: refusal("invalid", "too_many_characters", "must have {max} characters at most"),
  noControls: refusal("invalid", "control_characters", "must hold no control characters"),
  notNull: refusal("invalid", "null_value", "must not be null"),
  notAField: refusal("invalid", "not_a_field", "is not a field"),

  // Ids and names.
  uuid: refusal("invalid", "not_a_uuid", "must be a UUID"),
  uuidOrEmpty: refusal("invalid", "not_a_uuid_or_empty", "must be a UUID or empty"),
  uuidNullOrEmpty: refusal("invalid", "not_a_uuid_null_or_empty", "must be a UUID, null or empty"),
  uuidNoneNullOrEmpty: refusal(
    "invalid",
    "not_a_uuid_none_null_or_empty",
    "must be a UUID, none, null or empty",
  ),
  uuidOrName: refusal("invalid", "not_a_uuid_or_name", "must be a UUID or a username"),
  uuidOrPlayer: refusal("invalid", "not_a_uuid_or_player", "must be a UUID or the name of a player"),
  uuidOrNumber: refusal("invalid", "not_a_uuid_or_number", "must be a UUID or a cape's number"),
  uuidNumberOrName: refusal(
    "invalid",
    "not_a_uuid_number_or_name",
    "must be a UUID, a cape's number or a username",
  ),
  segment: refusal("invalid", "not_an_id", "must be a UUID, a username or a number, and valid in an address"),
  identifier: refusal("invalid", "not_an_identifier", "must be an id, UUID, username or mail address"),
  playerName: refusal("invalid", "not_a_player_name", "must be a player's name"),
  hash: refusal("invalid", "not_a_hash", "must be 64 lower-case hex digits"),
  userId: refusal("invalid", "not_a_user_id", "must be a user's id"),
  userIds: refusal("invalid", "not_user_ids", "must be a list of users' ids"),
  userIdsText: refusal(
    "invalid",
    "not_user_ids_text",
    "must be users' ids, as a JSON array or separated by commas",
  ),
  userIdsMax: refusal("invalid", "too_many_user_ids", "must be {max} users' ids at most"),
  sameUser: refusal("invalid", "other_user", "must be the id of the user in the address"),
  capeKey: refusal("invalid", "not_a_cape_key", "must be a cape's UUID or id"),
  capeList: refusal(
    "invalid",
    "not_a_cape_list",
    "must be a list of UUIDs or ids of capes, or of {form|unsent}, {max} at most",
  ),
  owners: refusal(
    "invalid",
    "not_owners",
    "must be everybody, owners: and another cape's UUID or id, or a list of 1 to {max} users' ids",
  ),
  suspension: refusal("invalid", "not_a_suspension", "must be null or hold until and reason"),
  nextStep: refusal("invalid", "not_the_next_step", "must be the next of the step before, or 0"),
  socialId: refusal("invalid", "not_a_social_id", "must be a text of 1 to 255 characters or a whole number"),
  connection: refusal("invalid", "not_a_connection", "must be the whole number that came with the id"),
  mailNumber: refusal("invalid", "not_a_mail", "must be the number of a mail"),
  mailingNumber: refusal("invalid", "not_a_mailing", "must be the number of a mail to everybody"),
  eventId: refusal("invalid", "not_an_event", "must be the id of an event, or 0"),

  // Pages of lists, and times.
  rowId: refusal("invalid", "not_a_row", "must be the id of a row, or 0"),
  listedRow: refusal("invalid", "not_a_listed_row", "must be the id of a row of this list"),
  lostRow: refusal("invalid", "row_lost", "must be the id of a row of this list; begin again without it"),
  listPlace: refusal("invalid", "not_a_place", "must be the value that Link has for the next page, or 0"),
  time: refusal(
    "invalid",
    "not_a_time",
    "must be ISO 8601 text with a zone, or a whole number of Unix seconds",
  ),
  future: refusal("invalid", "not_in_the_future", "must lie in the future"),

  // What belongs together.
  pngPart: refusal("invalid", "not_a_png_part", "must be one file part with a PNG in it"),
  someField: refusal("invalid", "nothing_to_change", "must hold at least one of {names}", "body"),
  sameAsVerify: refusal(
    "invalid",
    "mail_verify_differs",
    "must be the same as mail_verify",
    "mail_verification",
  ),
  givenWithName: refusal("invalid", "password_missing", "must be given with [[username]]", "password"),
  noConsole: refusal("invalid", "no_console", "there is no console here", "to"),
} as const;
