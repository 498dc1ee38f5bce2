import type { Language } from "../../src/domain/model/mail.ts";
import { type RefusalWords } from "../../src/words/refusals.ts";
import type { Values } from "../../src/kernel/coded.ts";
import type { Harness } from "./harness.ts";
import { type ConsoleWords } from "./console-words.ts";
import { addMember, addSkin, edit, grantCape, type Member } from "./members.ts";
import { capePng, skinPng } from "./textures.ts";

/**
 * Forms of the console that the server refuses, by the names of their fields, so that one table serves every
 * language.
 */

export type RefusedForm = {
  readonly name: string;
  readonly as: "guest" | "unnamed" | "chief";
  readonly path: string;
  /** The button that opens the form's dialog; null: it stands in the page. */
  readonly button?: (words: ConsoleWords) => string;
  /** A file to choose before the form is there. */
  readonly file?: Uint8Array;
  /**
   * A thing that is removed elsewhere once its form is open. `{id}` in the path stands for what `make`
   * returns.
   */
  readonly gone?: { readonly make: () => Promise<string>; readonly remove: (id: string) => Promise<unknown> };
  /** What is entered, by the fields' names in the API. */
  readonly fields: Readonly<Record<string, string>>;
  readonly code: keyof RefusalWords;
  readonly values?: Values;
  /** The field that is marked; null: none. */
  readonly field: string | null;
  /** Whether the form asks again, in a dialog that then says the refusal. */
  readonly isAsked?: true;
};

/** Whom the forms need, and what they have. */
export type RefusedWorld = { readonly chief: Member; readonly unnamed: Member; readonly other: Member };

const wrong = "not the password";
/** A name that no field keeps from being sent. */
const invisible = "A\u2060B";
const capeFile = capePng(3);

export const refusedForms = (
  harness: Harness,
  whose: RefusedWorld,
  language: Language,
): readonly RefusedForm[] => {
  const { chief, other } = whose;
  const user = `/admin/users/${other.account.id}`;
  return [
    {
      name: "sign-in",
      as: "guest",
      path: "/login",
      fields: { username: "Nobody", password: wrong },
      code: "wrong_login",
      field: null,
    },
    {
      name: "registration",
      as: "guest",
      path: "/register",
      fields: { mail: other.mail },
      code: "mail_taken",
      field: "mail",
    },
    {
      name: "confirmation",
      as: "guest",
      path: "/confirm",
      fields: { code: "AAAAA-AAAAA" },
      code: "code_invalid",
      field: "code",
    },
    {
      name: "order of a reset",
      as: "guest",
      path: "/forgetpass",
      fields: { mail: "name@localhost" },
      code: "mail_invalid",
      field: "mail",
    },
    {
      name: "reset",
      as: "guest",
      path: "/resetpassword",
      fields: { code: "AAAAA-AAAAA", password: "seven horses" },
      code: "code_invalid",
      field: "code",
    },
    {
      name: "end of a registration",
      as: "unnamed",
      path: "/registerfinish",
      fields: { username: "Taken", password: "seven horses" },
      code: "name_taken",
      field: "username",
    },
    {
      name: "new name",
      as: "chief",
      path: "/home/account",
      fields: { username: "Renamed", password: wrong },
      code: "password_wrong",
      field: "password",
    },
    {
      name: "new password",
      as: "chief",
      path: "/home/account",
      fields: { newpassword: "123456789", password: chief.password },
      code: "password_common",
      field: "newpassword",
    },
    {
      name: "new address",
      as: "chief",
      path: "/home/account",
      fields: { mail: other.mail, password: chief.password },
      code: "mail_taken",
      field: "mail",
    },
    {
      name: "code of a new address",
      as: "chief",
      path: "/home/mail",
      fields: { code: "AAAAA-AAAAA", password: chief.password },
      code: "code_invalid",
      field: "code",
    },
    {
      name: "new player",
      as: "chief",
      path: "/home/account",
      button: ({ account }) => account.newPlayer,
      fields: { name: "Taken" },
      code: "name_taken",
      field: "name",
    },
    {
      name: "player's new name",
      as: "chief",
      path: "/home/account",
      button: ({ shell }) => shell.renameThing("Second"),
      fields: { name: "Taken", password: chief.password },
      code: "name_taken",
      field: "name",
    },
    {
      name: "player's end",
      as: "chief",
      path: "/home/account",
      button: ({ shell }) => shell.deleteThing("Second"),
      fields: { password: wrong },
      code: "password_wrong",
      field: "password",
    },
    {
      name: "skin",
      as: "chief",
      path: "/home",
      button: ({ shell }) => shell.editThing("Everyday"),
      fields: { name: invisible },
      code: "texture_name_invalid",
      values: { max: 64 },
      field: "name",
    },
    {
      name: "account of another person",
      as: "chief",
      path: `${user}?tab=account`,
      fields: { username: "Chief" },
      code: "name_taken",
      field: "username",
    },
    {
      name: "address of another person",
      as: "chief",
      path: `${user}?tab=account`,
      fields: { mail: chief.mail },
      code: "mail_taken",
      field: "mail",
    },
    {
      name: "number of players",
      as: "chief",
      path: `${user}?tab=account`,
      fields: { players_max: "1000" },
      code: "whole_number_range_or_null",
      values: { min: 1, max: 100 },
      field: "players_max",
    },
    {
      name: "another person's new player",
      as: "chief",
      path: user,
      button: ({ account }) => account.newPlayer,
      fields: { name: "Chief" },
      code: "name_taken",
      field: "name",
    },
    {
      name: "another person's player",
      as: "chief",
      path: user,
      button: ({ shell }) => shell.renameThing("Taken"),
      fields: { name: "Chief" },
      code: "name_taken",
      field: "name",
    },
    {
      name: "skin, by staff",
      as: "chief",
      path: "/admin/skins",
      button: ({ shell }) => shell.editThing("Everyday"),
      fields: { name: invisible },
      code: "texture_name_invalid",
      values: { max: 64 },
      field: "name",
    },
    {
      name: "new cape",
      as: "chief",
      path: "/admin/capes",
      file: capeFile,
      fields: { name: invisible },
      code: "texture_name_invalid",
      values: { max: 64 },
      field: "name",
    },
    {
      name: "service token",
      as: "chief",
      path: "/admin/services",
      button: ({ records }) => records.newToken,
      fields: { name: "shop" },
      code: "token_name_taken",
      field: "name",
    },
    {
      name: "mail to everybody",
      as: "chief",
      path: "/admin/mail",
      fields: { subject: "A\u0007B", message: "Hello" },
      code: "line_invalid",
      values: { max: 150 },
      field: "subject",
    },
    {
      name: "test mail",
      as: "chief",
      path: "/admin/outbox",
      button: ({ records }) => records.sendTest,
      fields: { to: "name@localhost" },
      code: "mail_invalid",
      field: "to",
    },
    {
      name: "level of the last administrator",
      as: "chief",
      path: `/admin/users/${chief.account.id}`,
      fields: { role_level: "1" },
      code: "last_administrator",
      field: null,
      isAsked: true,
    },
    {
      name: "suspension until a time in the past",
      as: "chief",
      path: `/admin/users/${other.account.id}`,
      button: ({ admin }) => admin.suspend,
      fields: { "suspended.until": "2001-01-01T00:00" },
      code: "not_in_the_future",
      field: "suspended.until",
    },
    ...goneThings(harness, chief, `Gone${language.replace("-", "")}`),
  ];
};

/** Dialogs about things that another tab has deleted. */
function goneThings(harness: Harness, chief: Member, member: string): readonly RefusedForm[] {
  const send = (request: string, json: object = {}) => edit(harness, chief, request, json);
  return [
    {
      name: "end of a service token",
      as: "chief",
      path: "/admin/services",
      button: ({ records }) => records.revokeThing("gone"),
      gone: {
        make: async () => {
          await send("POST /api/admin/tokens", { name: "gone", rights: ["find"] });
          return "";
        },
        remove: () => send("DELETE /api/admin/tokens/gone"),
      },
      fields: {},
      code: "token_unknown",
      values: { name: "gone" },
      field: null,
    },
    {
      name: "end of a cape",
      as: "chief",
      path: "/admin/capes",
      button: ({ shell }) => shell.deleteThing("Gone"),
      gone: {
        make: async () => (await grantCape(harness, [chief], capePng(9), "Gone")).uuid,
        remove: (capeid) => send("DELETE /api/admin/user/cape/upload", { capeid }),
      },
      fields: {},
      code: "cape_unknown",
      field: null,
    },
    {
      name: "end of a skin, by staff",
      as: "chief",
      path: "/admin/skins",
      button: ({ shell }) => shell.deleteThing("Gone"),
      gone: {
        make: () => addSkin(harness, chief, { file: skinPng(77), name: "Gone" }),
        remove: (uuid) => send(`DELETE /api/admin/skin/${uuid}`),
      },
      fields: { reason: "Why not" },
      code: "skin_unknown",
      field: null,
    },
    {
      name: "end of an account",
      as: "chief",
      path: "/admin/users/{id}?tab=account",
      button: ({ shell }) => shell.deleteThing(member),
      gone: {
        make: async () => String((await addMember(harness, member)).account.id),
        remove: (id) => send(`DELETE /api/admin/user/${id}`),
      },
      fields: { confirmation: member },
      code: "user_unknown",
      field: null,
    },
  ];
}
