import { refusal } from "../../kernel/refusal.ts";

/** What staff and services are refused. `refusals.ts` has them all. */
export const staffRefusals = {
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
    "The last administrator can be neither demoted, suspended nor deleted: make somebody else one for good first",
  ),
  ownSuspension: refusal("conflict", "own_suspension", "Administrators cannot suspend themselves"),
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
} as const;
