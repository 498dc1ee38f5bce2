import { AppError } from "../../kernel/errors.ts";

const namedMax = 5;

/** Fails with invalid, naming the field and the first of the ids that nothing has, unless there are none of those. */
export function refuseUnknown(field: string, what: string, ids: readonly (string | number)[]): void {
  if (ids.length === 0) return;
  const named = ids.slice(0, namedMax).join(", ");
  const rest = ids.length > namedMax ? ` and ${ids.length - namedMax} more` : "";
  throw new AppError("invalid", `there is no ${what} ${named}${rest}`, { field });
}
