/** How users and what they may do are named on the command line. */
import { integer, text, type Kind } from "../boot/config/kinds.ts";
import { required } from "../boot/config/options.ts";
import { isLevel, type Level } from "../domain/model/account.ts";
import { AppError } from "../kernel/errors.ts";

export const identifierKind = text("IDENTIFIER");

export const identifier = required(identifierKind, "a user's id, uuid, username or mail address");

export const levelMeaning = "1 player, 2 moderator, 3 administrator";

export const level: Kind<Level> = {
  ...integer(1, 3),
  parse: (given) => {
    const value = integer(1, 3).parse(given);
    if (!isLevel(value)) throw new AppError("invalid", "must be 1, 2 or 3");
    return value;
  },
};
