import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Language } from "../../src/domain/model/mail.ts";
import { browserWords } from "../../src/words/browser.ts";
import { sayRefusal } from "../../src/words/refusals.ts";
import type { Console, Visitor } from "./console-browser.ts";
import { consoleWords, type ConsoleWords } from "./console-words.ts";
import { addMember, addPlayer, addSkin, allowPlayers, edit, grantCape } from "./members.ts";
import { hasLoaded, refused } from "./page-parts.ts";

import { refusedForms, type RefusedForm, type RefusedWorld } from "./refused-form-table.ts";

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

const formats = { wait: String, size: String, number: String, moment: String };

/** Sends every form once, and expects each refusal in the page's language, at its field. */
export async function refuseForms(world: Console, whose: RefusedWorld, language: Language): Promise<void> {
  const words = consoleWords.find((one) => one.language === language)!.words;
  const { refusals } = await browserWords[language].refusals!();
  await using visitors = new AsyncDisposableStack();
  const opened = new Map<RefusedForm["as"], Visitor>();
  const visitorAs = async (as: RefusedForm["as"]): Promise<Visitor> => {
    const who = as === "guest" ? {} : { as: whose[as] };
    const visitor = opened.get(as) ?? visitors.use(await world.visit({ language, expects: refused, ...who }));
    opened.set(as, visitor);
    return visitor;
  };
  for (const one of refusedForms(world.harness, whose, language)) {
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
async function showForm(
  page: Page,
  { button, file, fields }: RefusedForm,
  words: ConsoleWords,
): Promise<Locator> {
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
