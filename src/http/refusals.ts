import { refusal } from "../kernel/refusal.ts";

/** What the HTTP side refuses before, beside and after the use cases. */
export const httpRefusals = {
  nothingHere: refusal("not_found", "nothing_here", "There is nothing at this address"),
  wrongMethod: refusal("wrong_method", "wrong_method", "This address takes {methods} only"),
  internal: refusal("internal", "internal", "Internal error (request {request})"),
  noHost: refusal("invalid", "host_missing", "must name one host, as in skins.example.org", "Host"),
  otherSite: refusal(
    "forbidden",
    "other_site",
    "A page of another site sends this: the operator has to list its origin in CORS_ORIGINS",
  ),
  notOwnPage: refusal(
    "forbidden",
    "not_own_page",
    "Only the console's own pages may do this: open them at {place}",
  ),
  notOwnPageAnywhere: refusal(
    "forbidden",
    "not_own_page_proxy",
    "Only the console's own pages may do this: open them at the address that PUBLIC_URL names; the operator has to set it behind a proxy",
  ),
  tooManyAtOnce: refusal(
    "limited",
    "too_many_requests",
    "Too many requests are on their way at once; try again in {seconds} seconds",
  ),
  tooManyStreams: refusal(
    "limited",
    "too_many_streams",
    "{max} streams of events are open, which is the most: try again later",
  ),

  notReady: refusal("unavailable", "not_ready", "Not ready: {parts}"),

  // Guards.
  noToken: refusal(
    "unauthenticated",
    "token_missing",
    "Sign in: the Authorization header must be Bearer <JWT>",
  ),
  tokenInvalid: refusal(
    "unauthenticated",
    "token_invalid",
    "The token is not valid or has expired; sign in again",
  ),
  noGameToken: refusal(
    "unauthenticated",
    "game_token_missing",
    "The Authorization header must be Bearer <access token>",
  ),
  noServiceToken: refusal(
    "unauthenticated",
    "service_token_missing",
    "The Authorization header must hold a service token",
  ),
  levelTooLow: refusal(
    "forbidden",
    "level_too_low",
    "This needs level {needed} (1 player, 2 moderator, 3 administrator); yours is {level}",
  ),

  // Bodies.
  bodyTooLarge: refusal("too_large", "body_too_large", "The body may have {bytes} bytes at most"),
  fileTooLarge: refusal("too_large", "file_too_large", "The file may have {bytes} bytes at most"),
  wrongType: refusal(
    "unsupported_type",
    "body_type",
    "The body must be {type}, and its Content-Type must say so",
  ),
  tooSlow: refusal("too_slow", "body_too_slow", "The body must arrive within {seconds} seconds"),
  tooManyPieces: refusal(
    "invalid",
    "body_in_pieces",
    "The body comes in too many small chunks: send larger ones, or its length (Content-Length)",
  ),
  brokenOff: refusal("invalid", "body_broke_off", "The body broke off"),
  notJson: refusal("invalid", "body_not_json", "The body is not valid JSON"),
  tooManyFields: refusal("invalid", "too_many_fields", "An object may have {max} fields at most"),
  tooDeep: refusal("invalid", "body_too_deep", "The body may be {max} levels deep at most"),
  tooManyValues: refusal("invalid", "too_many_values", "The body may hold {max} values at most"),
  notAForm: refusal("invalid", "body_not_a_form", "The body is not a valid multipart form"),
  tooManyParts: refusal("invalid", "too_many_parts", "The form may have {max} parts at most"),
  bodyInvalid: refusal("invalid", "body_invalid", "The body is not valid"),
  requestInvalid: refusal("invalid", "request_invalid", "The request is not what this address takes"),
  addressInvalid: refusal("invalid", "address_invalid", "The address is not valid"),

  // Pictures and files.
  noSkin: refusal("not_found", "saved_skin_unknown", "No skin has this uuid"),
  noCape: refusal("not_found", "cape_not_worn", "This player wears no cape"),
  noCapeFile: refusal("not_found", "saved_cape_unknown", "No cape has this uuid"),
  noTexture: refusal("not_found", "texture_unknown", "No texture has this hash"),
  noOwnSkin: refusal("not_found", "skin_not_chosen", "This player has chosen no skin"),

  // Social sign-ins.
  signInExpired: refusal("invalid", "sign_in_expired", "This sign-in has expired or was used; begin again"),
  creationFailed: refusal("invalid", "creation_failed", "Internal error"),
} as const;
