/**
 * A member who tries on too many skins in a minute reads it in their own language, and goes on a minute
 * later: `bun run test:browser`.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openConsole, type Console } from "../support/console-browser.ts";
import { addMember, addSkin, edit } from "../support/members.ts";
import { refused } from "../support/page-parts.ts";
import { skinPng } from "../support/textures.ts";

let served: Console;
beforeAll(async () => {
  served = await openConsole({ settings: { RATE_LIMIT_FACTOR: "1" } });
});
afterAll(() => served[Symbol.asyncDispose]());

test.each([
  ["en", "Wear Night", "That was a lot of changes in a short time. Try again in 60 seconds."],
  ["de", "Anziehen: Night", "Das waren viele Änderungen in kurzer Zeit. Versuche es in 60 Sekunden erneut."],
  ["ru", "Надеть: Night", "Слишком много изменений за короткое время. Повторите через 60 секунд."],
  ["zh-CN", "穿上 Night", "短时间内更改的次数太多了。请在60秒钟后重试。"],
])("in %s", async (language, wear, message) => {
  served.harness.clock.advance(60);
  const member = await addMember(served.harness, `Dresser_${language.replace("-", "")}`);
  const day = await addSkin(served.harness, member, { name: "Day", file: skinPng(1) });
  const night = await addSkin(served.harness, member, { name: "Night", file: skinPng(2) });
  // The first skin was worn at once.
  served.harness.clock.advance(60);
  for (let n = 0; n < 30; n++) {
    const json = { skinid: n % 2 === 0 ? night : day };
    const answer = await edit(served.harness, member, "POST /api/home/edit/skin/select", json);
    expect(answer.status).toBe(200);
  }
  await using visitor = await served.visit({ as: member, language, expects: refused });
  const { page } = visitor;
  await visitor.open("/home");
  await page.getByRole("button", { name: wear, exact: true }).click();
  await page.getByRole("alert").getByText(message, { exact: true }).waitFor();
  served.harness.clock.advance(60);
  await page.getByRole("button", { name: wear, exact: true }).click();
  await page.getByRole("status").getByText("Night").waitFor();
});
