import passwords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import { limits } from "../../kernel/limits.ts";

/** How many of the ranked passwords count as common (docs/contract/auth.md#passwords). */
const commonest = 10_000;

/**
 * The commonest passwords that are long enough to be asked about, in lower case, one on each line. A macro:
 * it runs while the code is bundled, so 3,534 of the package's 49,000 passwords get into the program, as one
 * text.
 */
export function commonPasswordLines(): string {
  const longEnough = passwords.slice(0, commonest).filter((one) => one.length >= limits.passwordLengthMin);
  return longEnough.map((one) => one.toLowerCase()).join("\n");
}
