import { Elysia } from "elysia";
import { AppError } from "../../../kernel/errors.ts";
import { parseRowNumber, parseUuid, type CapeId } from "../../../kernel/ids.ts";
import { limits } from "../../../kernel/limits.ts";
import { findMember } from "../../../domain/accounts/identifier.ts";
import { setCapes } from "../../../domain/members/grants.ts";
import type { CapeKey } from "../../../domain/ports/texture-store.ts";
import { jsonReader } from "../../body.ts";
import { ok } from "../../envelope.ts";
import { readExpiry } from "../../fields.ts";
import { describe } from "../../openapi/describe.ts";
import { staffGuard, type GuardDeps } from "../../session.ts";
import { unknownUser } from "./described.ts";
import { presentGrants } from "./present-texture.ts";
import { capeListRule, grantBody, grantEnvelope } from "./schema-texture.ts";
import { identifierParams } from "./schema-user.ts";

/** Who may wear what (contract, Admin). */
export function grantRoutes(deps: GuardDeps) {
  return new Elysia()
    .use(staffGuard(deps, "administer"))
    .use(jsonReader({ bytesMax: limits.idsJsonBytesMax, valuesMax: limits.idsJsonValuesMax }))
    .post(
      "/user/cape/:identifier",
      async ({ actor, params, body }) => {
        const now = deps.clock.nowSeconds();
        const expiresAt = readExpiry(body.expired_at, now);
        const keys = readCapeKeys(body.cape);
        const { account } = await findMember(deps.reads.accounts, params.identifier);
        if (account.id !== body.user)
          throw new AppError("invalid", "user: must be the id of the user in the address");
        const input = { account: account.id, capes: keys, expiresAt };
        const { member, capes } = await setCapes(deps, actor, input);
        return ok("Cape change successfully", presentGrants(member, capes, { expiresAt, now }));
      },
      {
        params: identifierParams,
        body: grantBody,
        response: { 200: grantEnvelope },
        detail: describe({
          operationId: "setUserCapes",
          summary: "Say which capes a user may wear",
          description:
            "The list is all of them: a cape that is not in it is taken away, and off the user's skins.",
          who: "administrators",
          msg: "Cape change successfully",
          errors: {
            not_found: unknownUser,
            too_large: `The body may have ${limits.idsJsonBytesMax} bytes at most`,
          },
        }),
      },
    );
}

function readCapeKeys(list: unknown): readonly CapeKey[] {
  if (!Array.isArray(list) || list.length > limits.idsMax) {
    throw new AppError("invalid", `cape: ${capeListRule}`);
  }
  return list.map(readCapeKey);
}

function readCapeKey(value: unknown): CapeKey {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const id = parseRowNumber(text);
  if (id !== null) return { by: "id", value: id as CapeId }; // whether it is some cape's, the store tells
  const uuid = parseUuid(text);
  if (uuid === null) throw new AppError("invalid", `cape: ${capeListRule}`);
  return { by: "uuid", value: uuid };
}
