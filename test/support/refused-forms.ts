import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Language } from "../../src/domain/model/mail.ts";
import { browserWords } from "../../src/words/browser.ts";
import { sayRefusal, type RefusalWords } from "../../src/words/refusals.ts";
import type { Values } from "../../src/kernel/coded.ts";
import type { Console, Visitor } from "./console-browser.ts";
import type { Harness } from "./harness.ts";
import { consoleWords, type ConsoleWords } from "./console-words.ts";
import { addMember, addPlayer, addSkin, allowPlayers, edit, grantCape, type Member } from "./members.ts";
import { hasLoaded, refused } from "./page-parts.ts";
import { capePng, skinPng } from "./textures.ts";

/**
 * Forms of the console that the server refuses, by the names of their fields, so that one table serves every
 * language.
 */

type Form = {
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

export async function fillRefusedWorld({ harness }: Console): Promise<RefusedWorld> {
  const chief = await addMember(harness, "Chief", { level: 3 });
  const other = await addMember(harness, "Taken");
  const unnamed = await addMember(harness, "unnamed", { finished: false });
  await allowPlayers(harness, chief);
  await addPlayer(harness, chief, "Second");
  await addSkin(harness, chief, { name: "Everyday" });
  await grantCape(harness, [chief]);
  await edit(harness, chief, "POST /api/admin/tokens", { name: "shop", rights: ["find"] });
  return { chief, unnamed, other };
}

const wrong = "not the password";
/** A name that no field keeps from being sent. */
const invisible = "A\u2060B";
const capeFile = capePng(3);

const forms = (harness: Harness, whose: RefusedWorld, language: Language): readonly Form[] => {
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
    ...goneThings(harness, chief, `Gone${language.replace("-", "")}`),
  ];
};

/** Dialogs about things that another tab has deleted. */
function goneThings(harness: Harness, chief: Member, member: string): readonly Form[] {
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

const formats = { wait: String, size: String, number: String };

/** Sends every form once, and expects each refusal in the page's language, at its field. */
export async function refuseForms(world: Console, whose: RefusedWorld, language: Language): Promise<void> {
  const words = consoleWords.find((one) => one.language === language)!.words;
  const { refusals } = await browserWords[language].refusals!();
  await using visitors = new AsyncDisposableStack();
  const opened = new Map<Form["as"], Visitor>();
  const visitorAs = async (as: Form["as"]): Promise<Visitor> => {
    const who = as === "guest" ? {} : { as: whose[as] };
    const visitor = opened.get(as) ?? visitors.use(await world.visit({ language, expects: refused, ...who }));
    opened.set(as, visitor);
    return visitor;
  };
  for (const one of forms(world.harness, whose, language)) {
    const { page, open } = await visitorAs(one.as);
    const id = (await one.gone?.make()) ?? "";
    await open(one.path.replace("{id}", id));
    const shown = await showForm(page, one, words);
    for (const [name, value] of Object.entries(one.fields)) await enter(fieldOf(shown, name), value);
    await one.gone?.remove(id);
    await shown.locator("button[type=submit]").click();
    const form = one.isAsked === true ? page.getByRole("dialog").locator("form") : shown;
    if (one.isAsked === true) await form.locator("button[type=submit]").click();
    const alert = form.getByRole("alert").getByRole("paragraph");
    await alert.waitFor();
    const said = await alert.innerText();
    const label = one.field === null ? "" : await labelOf(fieldOf(form, one.field));
    const expected = sayRefusal(
      refusals,
      { code: one.code, values: { identifier: id, ...one.values, field: label } },
      formats,
    );
    const marked = await form
      .locator("[aria-invalid=true]")
      .evaluateAll((all) => all.map((field) => field.getAttribute("name")));
    expect({ form: one.name, said, marked }).toEqual({
      form: one.name,
      said: expected ?? "",
      marked: one.field === null ? [] : [one.field],
    });
  }
}

/** The form that has the fields, after its dialog was opened. */
async function showForm(page: Page, { button, file, fields }: Form, words: ConsoleWords): Promise<Locator> {
  await hasLoaded(page);
  if (file !== undefined)
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({ name: "cape.png", mimeType: "image/png", buffer: Buffer.from(file) });
  if (button !== undefined)
    await page
      .getByRole("main")
      .getByRole("button", { name: button(words), exact: true })
      .first()
      .click();
  const within =
    button === undefined && file === undefined ? page.getByRole("main") : page.getByRole("dialog");
  const has = Object.keys(fields).reduce(
    (all, name) => all.filter({ has: page.locator(`[name="${name}"]`) }),
    within.locator("form"),
  );
  await has.first().waitFor();
  return has.first();
}

async function enter(field: Locator, value: string): Promise<void> {
  const isChoice =
    (await field.evaluate((one) => (one as unknown as { tagName: string }).tagName)) === "SELECT";
  await (isChoice ? field.selectOption(value) : field.fill(value));
}

const fieldOf = (form: Locator, name: string) => form.locator(`[name="${name}"]`);

function labelOf(field: Locator): Promise<string> {
  return field.evaluate(
    (one) =>
      (one as unknown as { readonly labels: readonly { readonly textContent: string }[] }).labels[0]
        ?.textContent ?? "",
  );
}
