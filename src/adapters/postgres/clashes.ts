import { refusals } from "../../domain/model/refusals.ts";
import { AppError } from "../../kernel/errors.ts";

/** What a clash on a unique constraint means to the person who caused it. */
const clashes: Readonly<Record<string, () => AppError>> = {
  accounts_mail_key_unique: refusals.mailTaken,
  players_name_key_unique: refusals.nameTaken,
  players_uuid_unique: refusals.uuidTaken,
  identities_pkey: refusals.linkedElsewhere,
  identities_person: () =>
    new AppError("conflict", "This social account is linked to another account already"),
  service_tokens_name_unique: refusals.takenTokenName,
};

/** The refusal for a clash on this constraint; null for one that a person cannot cause. */
export function clashOn(constraint: string): AppError | null {
  return clashes[constraint]?.() ?? null;
}
