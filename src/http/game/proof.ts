import { AppError, PlainError } from "../../kernel/errors.ts";

/**
 * The result of work that looks at a token or a password of the body. Where that is not valid, it fails with
 * forbidden, in the protocol's words (null: in those of the work): 401 would ask for an `Authorization`
 * header. A protocol may want 401 all the same.
 */
export async function proven<T>(
  words: string | null,
  work: Promise<T>,
  code: "unauthenticated" | "forbidden" = "forbidden",
): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof AppError && cause.kind === "unauthenticated")) throw cause;
    throw new PlainError(code, words ?? cause.rule, { cause });
  }
}
