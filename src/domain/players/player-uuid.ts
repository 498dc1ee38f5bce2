import { AppError } from "../../kernel/errors.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { isPlayerUuid } from "../model/player-uuid.ts";

/** Checks a uuid that staff give a player. Fails with invalid. */
export function parsePlayerUuid(uuid: Uuid): Uuid {
  if (isPlayerUuid(uuid)) return uuid;
  throw new AppError(
    "invalid",
    "must be of version 1 to 5 and of variant 8, 9, a or b: games refuse others",
    {
      field: "uuid",
    },
  );
}
