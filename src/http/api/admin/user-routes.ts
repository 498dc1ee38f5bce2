import { Elysia } from "elysia";
import { AppError } from "../../../kernel/errors.ts";
import { deleteAccount, updateUser, type UserChange } from "../../../domain/members/administer.ts";
import { findMember } from "../../../domain/accounts/identifier.ts";
import { readProfile } from "../../../domain/members/profile.ts";
import { setRole } from "../../../domain/members/roles.ts";
import type { ListPage } from "../../../domain/model/list-page.ts";
import type { PasswordHasher } from "../../../domain/ports/password-hasher.ts";
import type { DropFiles } from "../../../domain/textures/files.ts";
import { jsonReader, unread } from "../../body.ts";
import { emptyEnvelope, ok } from "../../envelope.ts";
import { readExpiry, readUuid } from "../../fields.ts";
import { describe } from "../../openapi/describe.ts";
import { pageAnswer, pageQuery, readPage, readRows } from "../../paging.ts";
import { staffGuard, type GuardDeps } from "../../session.ts";
import { lastAdministrator, temporaryLevel, unknownUser } from "./described.ts";
import { presentProfile, presentRole, presentUser } from "./present-user.ts";
import {
  changeBody,
  identifierParams,
  roleBody,
  roleEnvelope,
  userEnvelope,
  usersEnvelope,
} from "./schema-user.ts";

export type UserDeps = GuardDeps & {
  readonly dropFiles: DropFiles;
  readonly hasher: PasswordHasher;
  readonly usernamePattern: RegExp;
  readonly nameHoldSeconds: number;
};

/** Users, their levels and their deletion (contract, Admin). */
export function userRoutes(deps: UserDeps) {
  return new Elysia().use(lookRoutes(deps)).use(changeRoutes(deps)).use(deleteRoute(deps));
}

function lookRoutes(deps: UserDeps) {
  return new Elysia()
    .use(staffGuard(deps, "inspect"))
    .get(
      "/users",
      async ({ query, set }) => {
        const { users, headers } = await listUsers(deps, readPage(query));
        Object.assign(set.headers, headers);
        return ok("Users", users);
      },
      {
        query: pageQuery,
        response: { 200: usersEnvelope },
        detail: describe({
          operationId: "listUsers",
          summary: "All users, by id",
          description: "`q` is looked for in usernames and mail addresses, and is taken for an id or UUID.",
          who: "moderators",
          msg: "Users",
          answers: pageAnswer,
        }),
      },
    )
    .get(
      "/user/:identifier",
      async ({ params }) => {
        const member = await findMember(deps.reads.accounts, params.identifier);
        const now = deps.clock.nowSeconds();
        return ok("User", presentProfile(await readProfile(deps.reads, member, now), now));
      },
      {
        params: identifierParams,
        response: { 200: userEnvelope },
        detail: describe({
          operationId: "getUser",
          summary: "A user with their skins and capes",
          who: "moderators",
          msg: "User",
          errors: { not_found: unknownUser },
        }),
      },
    );
}

async function listUsers({ reads, clock }: UserDeps, page: ListPage) {
  const list = {
    rows: async (asked: ListPage) =>
      (await reads.accounts.listMembers(asked)).map((member) => ({ ...member, id: member.account.id })),
    count: reads.accounts.countMembers,
  };
  const { rows, headers } = await readRows(list, page, "/api/admin/users");
  const identities = await reads.identities.listIdentities(rows.map(({ id }) => id));
  const identityOf = new Map(identities.map((identity) => [identity.accountId, identity]));
  const now = clock.nowSeconds();
  return { users: rows.map((row) => presentUser(row, identityOf.get(row.id) ?? null, now)), headers };
}

function changeRoutes(deps: UserDeps) {
  return new Elysia()
    .use(staffGuard(deps, "administer"))
    .use(jsonReader())
    .patch(
      "/user/:identifier",
      async ({ actor, sessionId, params, body }) => {
        const change = readChange(body);
        const input = { identifier: params.identifier, change, keptSession: sessionId };
        const profile = await updateUser(deps, actor, input);
        return ok("User change successfully", presentProfile(profile, deps.clock.nowSeconds()));
      },
      {
        params: identifierParams,
        body: changeBody,
        response: { 200: userEnvelope },
        detail: describe({
          operationId: "updateUser",
          summary: "Change a user",
          description:
            "What is left out stays as it is; something must be there. Another password or address ends the user's sessions, and the address as it was is told.",
          who: "administrators",
          msg: "User change successfully",
          errors: { not_found: unknownUser, conflict: lastAdministrator },
        }),
      },
    )
    .post(
      "/user/role/:identifier",
      async ({ actor, params, body }) => {
        const now = deps.clock.nowSeconds();
        const expiresAt = readExpiry(body.expired_at, now);
        const { account } = await findMember(deps.reads.accounts, params.identifier);
        if (account.id !== body.user)
          throw new AppError("invalid", "user: must be the id of the user in the address");
        const role = { account: account.id, level: body.role_level, expiresAt };
        const member = await setRole(deps, actor, role);
        return ok("Role change successfully", presentRole(member, expiresAt, now));
      },
      {
        params: identifierParams,
        body: roleBody,
        response: { 200: roleEnvelope },
        detail: describe({
          operationId: "setUserRole",
          summary: "Give a user a level, for good or for a time",
          description: temporaryLevel,
          who: "administrators",
          msg: "Role change successfully",
          errors: { not_found: unknownUser, conflict: lastAdministrator },
        }),
      },
    );
}

function deleteRoute(deps: UserDeps) {
  return new Elysia().use(staffGuard(deps, "administer")).delete(
    "/user/:identifier",
    async ({ actor, params }) => {
      await deleteAccount(deps, actor, params.identifier);
      return ok("User deletion successfully", {});
    },
    {
      ...unread,
      params: identifierParams,
      response: { 200: emptyEnvelope },
      detail: describe({
        operationId: "deleteUser",
        summary: "Delete a user with their skins",
        description: "The id and the UUID are never used again, and the name is held for a while.",
        who: "administrators",
        msg: "User deletion successfully",
        errors: { not_found: unknownUser, conflict: lastAdministrator },
      }),
    },
  );
}

function readChange(body: typeof changeBody.static): UserChange {
  const names = Object.keys(changeBody.properties);
  if (!names.some((name) => name in body)) {
    throw new AppError("invalid", `body: must hold at least one of ${names.join(", ")}`);
  }
  const { username, mail, password, perms, dsid, selected_skin: skin } = body;
  const mailVerified = readVerified(body);
  return {
    ...(username === undefined ? {} : { username }),
    ...(mail === undefined ? {} : { mail }),
    ...(mailVerified === undefined ? {} : { mailVerified }),
    ...(skin === undefined ? {} : { selectedSkin: skin === "" ? null : readUuid("selected_skin", skin) }),
    ...(password === undefined ? {} : { password }),
    ...(perms === undefined ? {} : { permanentLevel: perms }),
    ...(dsid === false ? { identity: null } : {}),
  };
}

/** Two names for one thing. */
function readVerified(body: typeof changeBody.static): boolean | undefined {
  const { mail_verify: one, mail_verification: other } = body;
  if (one !== undefined && other !== undefined && one !== other) {
    throw new AppError("invalid", "mail_verification: must be the same as mail_verify");
  }
  return one ?? other;
}
