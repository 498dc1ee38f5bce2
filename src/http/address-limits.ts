import { Elysia } from "elysia";
import type { Client } from "../domain/limits/address-limit.ts";

/**
 * Counts a request for its client's address before its body is read: what one of the limits refuses is not read, and what is
 * broken has counted. It goes after a guard, so that strangers count for nobody, and before a reader.
 */
export function limitByAddress(
  { clientAddress }: { readonly clientAddress: (request: Request) => string },
  ...limits: readonly ((client: Client) => void)[]
) {
  return new Elysia().onParse({ as: "scoped" }, ({ request }) => {
    const client = { address: clientAddress(request) };
    limits.forEach((take) => take(client));
  });
}
