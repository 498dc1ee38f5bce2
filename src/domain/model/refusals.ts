import { AppError, type ErrorKind } from "../../kernel/errors.ts";
import type { ServiceRight } from "./service-token.ts";
import type { TextureHash, Uuid } from "../../kernel/ids.ts";

/** Refusals that several use cases or stores share, or that the API's document shows: each message is written once, here. */
export const refusals = {
  badSetupSecret: () =>
    refusal("forbidden", "This link is not valid, was used, or is of an earlier start of the server"),
  wrongLogin: () => refusal("unauthenticated", "Invalid username or password"),
  invalidGameToken: () => refusal("unauthenticated", "This game token is not valid; sign in again"),
  unconfirmed: () =>
    refusal("forbidden", "Confirm your mail address first, with the code that was sent to it"),
  unfinished: () => refusal("forbidden", "Finish your registration first: choose a username"),
  finished: () => refusal("conflict", "This registration is finished already"),
  unknownMail: () => refusal("invalid", "Invalid email or password"),
  badCode: () => refusal("invalid", "is wrong, was used or has expired; ask for a new one", "code"),
  mailTaken: () => refusal("conflict", "an account with this address exists already", "mail"),
  linkedElsewhere: () => refusal("conflict", "This account is linked to another social account already"),
  noSuchPlayer: () => refusal("not_found", "You have no such player"),
  nameTaken: () => refusal("conflict", "is taken already", "username"),
  enoughPlayers: (max: number) =>
    refusal("conflict", `This account may have ${max === 1 ? "1 player" : `${max} players`} and no more`),
  mainPlayer: () => refusal("conflict", "The main player stands for its account and goes with it alone"),
  noMainPlayer: () =>
    refusal("conflict", "This user's registration is unfinished: the first player comes with the username"),
  uuidTaken: () => refusal("conflict", "is the UUID of another player or account", "uuid"),
  unboundToken: () => refusal("not_found", "This token belongs to no player: choose one by a refresh"),
  unknownSession: () => refusal("not_found", "You have no such session"),
  noSuchSession: () => refusal("not_found", "This user has no such session"),
  sessionsOfStaff: () =>
    refusal(
      "forbidden",
      "This user is a moderator or administrator: only an administrator may end their sessions",
    ),
  unknownService: () => refusal("unauthenticated", "This service token is not valid"),
  unknownToken: (name: string) => refusal("not_found", `There is no service token named ${name}`),
  tokenOfSettings: () =>
    refusal("conflict", "This is the token of SERVICE_API_TOKEN: it goes when the setting changes"),
  takenTokenName: () => refusal("conflict", "a token of this name exists already", "name"),
  enoughTokens: (max: number) =>
    refusal("conflict", `There are ${max} service tokens, which is the most: revoke one first`),
  missingRight: (right: ServiceRight, may: readonly ServiceRight[]) =>
    refusal(
      "forbidden",
      `This service token may not do this: it lacks the right ${right}. An operator makes one that has it with token create NAME --may ${[...may, right].join(",")}`,
    ),
  unknownUser: (identifier: string) => refusal("not_found", `No user is known as ${identifier}`),
  lastAdministrator: () =>
    refusal(
      "conflict",
      "The last administrator can be neither demoted nor deleted: make somebody else one for good first",
    ),
  unknownAccount: () => refusal("not_found", "No account is known by this"),
  ambiguousPerson: () => refusal("conflict", "people of several social providers have this id", "socialId"),
  unknownOutboxMail: (id: number) => refusal("not_found", `There is no mail ${id} in the outbox`),
  sentMail: (id: number) => refusal("conflict", `Mail ${id} was sent already`),
  wipedMail: (id: number) =>
    refusal("conflict", `Mail ${id} is too old: its content is gone, so it cannot be sent`),
  noOwnMail: () => refusal("invalid", "must be given: your account has no mail address", "mail"),
  repeatedBulkMail: () =>
    refusal("conflict", "This very mail was sent to everybody less than ten minutes ago"),
  unknownPlayer: () => refusal("not_found", "No player has this uuid or username"),
  unknownPlayerOrSkin: () => refusal("not_found", "No player or skin has this uuid or username"),
  unknownCapeOrSkin: () => refusal("not_found", "No cape or skin has this id"),
  picturesBusy: () =>
    refusal("limited", "Too many pictures are being made right now: try again in a few seconds"),
  unknownSkin: (uuid: Uuid | string) => refusal("not_found", `there is no skin ${uuid}`, "skin"),
  unknownCape: (key: Uuid | string | number) => refusal("not_found", `there is no cape ${key}`, "cape"),
  unknownBan: (hash: TextureHash | string) => refusal("not_found", `there is no ban of ${hash}`, "hash"),
  shownByCape: (hash: TextureHash | string) =>
    refusal(
      "conflict",
      `a cape shows the bitmap ${hash}; an administrator has to delete the cape first`,
      "hash",
    ),
  providerFails: (provider: string) =>
    refusal("upstream", `Signing in through ${provider} does not work at the moment; try again later`),
  unavailable: (cause?: unknown) =>
    new AppError("unavailable", "The database does not answer right now: try again in a few seconds", {
      cause,
    }),
  readsOnly: () =>
    new AppError("unavailable", "The database takes no changes right now: try again in some minutes"),
  contended: (cause?: unknown) =>
    new AppError("unavailable", "Others change the same right now: try again in a few seconds", { cause }),
  busy: (cause?: unknown) =>
    new AppError("unavailable", "The database has too much to do right now: try again in a few seconds", {
      cause,
    }),
  noFiles: (cause: unknown) =>
    new AppError("unavailable", "The server can open no more files right now: try again in a few seconds", {
      cause,
      report: { error: cause },
    }),
  noSpace: (cause?: unknown) => new AppError("no_space", "No space is left on the server's disk", { cause }),
} as const;

function refusal(code: ErrorKind, rule: string, field?: string): AppError {
  return new AppError(code, rule, field === undefined ? {} : { field });
}
