import { Elysia } from "elysia";
import { AppError } from "../../../kernel/errors.ts";
import { parseRowNumber, parseUuid, type CapeId } from "../../../kernel/ids.ts";
import { findMember } from "../../../domain/accounts/identifier.ts";
import type { Transact } from "../../../domain/stores.ts";
import { setCapes } from "../../../domain/textures/grants.ts";
import type { CapeKey } from "../../../domain/textures/store.ts";
import { jsonReader } from "../../body.ts";
import { ok } from "../../envelope.ts";
import { readExpiry } from "../../fields.ts";
import { staffGuard, type GuardDeps } from "../../session.ts";
import { presentGrants } from "./present-texture.ts";
import { grantBody, grantEnvelope } from "./schema-texture.ts";
import { identifierParams } from "./schema-user.ts";

/** Who may wear what (contract, Admin). */
export function grantRoutes(deps: GuardDeps & { readonly transact: Transact }) {
  return new Elysia()
    .use(staffGuard(deps, "administer"))
    .use(jsonReader())
    .post(
      "/user/cape/:identifier",
      async ({ issuer, params, body }) => {
        const now = deps.clock.nowSeconds();
        const expiresAt = readExpiry(body.expired_at, now);
        const keys = body.cape.map(keyOf);
        const { account } = await findMember(deps.reads.accounts, params.identifier);
        if (account.id !== body.user) throw new AppError("invalid", "user: is not the user of the address");
        const input = { account: account.id, capes: keys, expiresAt };
        const { member, capes } = await setCapes(deps, issuer, input);
        return ok("Cape change successfully", presentGrants(member, capes, { expiresAt, now }));
      },
      {
        params: identifierParams,
        body: grantBody,
        response: { 200: grantEnvelope },
        detail: { summary: "Say which capes a user may wear" },
      },
    );
}

function keyOf(value: string | number): CapeKey {
  const text = String(value);
  const id = parseRowNumber(text);
  if (id !== null) return { by: "id", value: id as CapeId }; // whether it is some cape's, the store tells
  const uuid = parseUuid(text);
  if (uuid === null) throw new AppError("invalid", "cape: must be a list of capes' UUIDs or ids");
  return { by: "uuid", value: uuid };
}
