/** How answers with JSON say so, by the letter of the protocols' specifications. */
export const jsonType = "application/json; charset=utf-8";

/** Bun leaves out the blank. Clients and test suites that compare texts take that for another type. */
export function spellType(headers: Headers): void {
  if (headers.get("content-type") === "application/json;charset=utf-8") headers.set("content-type", jsonType);
}
