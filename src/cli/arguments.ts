/** Arguments that several commands take. */
import { text } from "../boot/config/kinds.ts";
import { flag, required } from "../boot/config/options.ts";

/** A user, as one argument among others: id, UUID, username or mail address. */
export const identifierKind = text("IDENTIFIER");

/** A user, as the only positional argument. */
export const identifier = required(identifierKind, "a user's id, uuid, username or mail address");

/** For every command that makes or lists something. */
export const json = flag("print JSON");
