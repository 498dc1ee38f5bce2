import { findMember } from "../../../domain/accounts/identifier.ts";
import { readProfile, type Profile } from "../../../domain/members/profile.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import { readExpiry, refuseOtherUser } from "../../fields.ts";
import type { Http } from "../../http.ts";
import { examples } from "../../openapi/examples.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { pageAnswer, readRows } from "../../paging.ts";
import {
  changeBody,
  presentUser,
  presentUserDetail,
  readUserChange,
  userEnvelope,
  usersEnvelope,
} from "../../resources/account.ts";
import { levelEffect, levelSummary, presentRole, roleBody, roleEnvelope } from "../../resources/level.ts";
import { identifierParams } from "../../resources/user-params.ts";
import { route } from "../../routing/route.ts";
import { rules } from "../../rules.ts";
import { readMemberOrder, readSortedUsers, usersQuery } from "./sorted-users.ts";

/** Users, their levels and their deletion (docs/contract/admin.md). */
export function userRoutes(services: Services, http: Http) {
  return [...lookRoutes(services, http), ...changeRoutes(services, http), deleteRoute(services, http)];
}

function lookRoutes(services: Services, { guards }: Http) {
  const { reads, clock } = services;
  const { accounts } = reads;
  const list = { rows: accounts.listMembers, count: accounts.countMembers };
  return [
    route("GET", "/users", {
      guard: guards.staff("inspect"),
      query: usersQuery,
      envelope: usersEnvelope,
      operationId: "listUsers",
      summary: "All users, by id, name or last use",
      description:
        "`q` is searched in usernames and mail addresses; it may also be an id or a UUID. What it finds is sorted by name or last use if it is no more than 1000 users.",
      msg: "Users",
      answers: pageAnswer,
      refuses: [...refusalsOf.page, ...refusalsOf.search, refusals.tooManyToSort],
      handle: async (context) => {
        const order = readMemberOrder(context.query.order);
        const rows = await (order === null
          ? readRows(list, context)
          : readSortedUsers(accounts, order, context));
        const now = clock.nowSeconds();
        return rows.map((row) => presentUser(row, now));
      },
    }),
    route("GET", "/user/:identifier", {
      guard: guards.staff("inspect"),
      params: identifierParams,
      envelope: userEnvelope,
      operationId: "getUser",
      summary: "A user with their skins and capes",
      msg: "User",
      errors: [refusals.unknownUser(examples.user)],
      refuses: [...refusalsOf.identifier],
      handle: async ({ params }) => {
        const member = await findMember(accounts, params.identifier);
        const profile = await readProfile(reads, member, clock.nowSeconds());
        return await showDetail(services, profile);
      },
    }),
  ];
}

type Detail = Pick<Services, "reads" | "clock" | "accounts">;

async function showDetail({ reads, clock, accounts }: Detail, profile: Profile) {
  const { id } = profile.account;
  const { aliases, suspensions } = reads;
  return presentUserDetail(profile, {
    lastSeen: await reads.accounts.findLastSeen(id),
    aliases: await aliases.listAliases(id),
    passwordKind: accounts.passwordKind(profile.account),
    suspension: await suspensions.findSuspension(id),
    now: clock.nowSeconds(),
  });
}

function changeRoutes(services: Services, { guards }: Http) {
  const { members, reads, clock } = services;
  return [
    route("PATCH", "/user/:identifier", {
      guard: guards.staff("administer"),
      params: identifierParams,
      body: changeBody,
      envelope: userEnvelope,
      operationId: "updateUser",
      summary: "Change a user",
      description:
        "Fields that are left out stay as they are; at least one must be there. A new password or address ends the user's sessions and notifies the old address. A suspended user cannot sign in, and has no sessions; pictures and profiles go on.",
      action: "User change",
      errors: [refusals.unknownUser(examples.user), refusals.lastAdministrator()],
      refuses: [
        rules.uuid,
        ...refusalsOf.identifier,
        ...refusalsOf.newName,
        ...refusalsOf.newMail,
        ...refusalsOf.newPassword,
        ...refusalsOf.end,
        refusals.badLine,
        refusals.ownSuspension,
        refusals.notInUsersWardrobe,
        refusals.noMailToVerify,
        rules.someField,
        rules.sameAsVerify,
      ],
      handle: async ({ actor, sessionId, params, body }) => {
        const change = readUserChange(body, clock.nowSeconds());
        const input = { identifier: params.identifier, change, keptSession: sessionId };
        const profile = await members.update(actor, input);
        return await showDetail(services, profile);
      },
    }),
    route("POST", "/user/role/:identifier", {
      guard: guards.staff("administer"),
      params: identifierParams,
      body: roleBody,
      envelope: roleEnvelope,
      operationId: "setUserRole",
      summary: levelSummary,
      description: levelEffect,
      action: "Role change",
      errors: [refusals.unknownUser(examples.user), refusals.lastAdministrator()],
      refuses: [...refusalsOf.identifier, ...refusalsOf.end, rules.sameUser],
      handle: async ({ actor, params, body }) => {
        const now = clock.nowSeconds();
        const expiresAt = readExpiry(body.expired_at, now);
        const { account } = await findMember(reads.accounts, params.identifier);
        refuseOtherUser(account.id, body.user);
        const role = { account: account.id, level: body.role_level, expiresAt };
        const member = await members.setLevel(actor, role);
        return presentRole(member, expiresAt, now);
      },
    }),
  ];
}

function deleteRoute({ members }: Services, { guards }: Http) {
  return route("DELETE", "/user/:identifier", {
    guard: guards.staff("administer"),
    params: identifierParams,
    operationId: "deleteUser",
    summary: "Delete a user with their skins",
    description:
      "The id is never used again, the UUID only when an administrator gives it to a player, and the names are held for a while.",
    action: "User deletion",
    errors: [refusals.unknownUser(examples.user), refusals.lastAdministrator()],
    refuses: [...refusalsOf.identifier],
    handle: ({ actor, params }) => members.delete(actor, params.identifier),
  });
}
