import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { languages } from "../../src/domain/model/mail.ts";
import { launchers, type PlayWords } from "../../src/words/play.ts";
import { serverWords } from "../../src/words/server.ts";
import { openHarness, publicUrl, siteUrl, type Harness } from "../support/harness.ts";
import { addMember, edit } from "../support/members.ts";

const community = "Ember & <Ash>";
const address = `${publicUrl}/api/yggdrasil`;

async function pageOf(harness: Harness, language = "en"): Promise<string> {
  const response = await harness.fetch("/play", { headers: { "accept-language": language } });
  expect([response.status, response.headers.get("content-language")]).toEqual([200, language]);
  return response.text();
}

const partsIn = (html: string) =>
  [...html.matchAll(/<section class="card play-launcher" id="([a-z]+)"/g)].map(([, id]) => id);

let harness: Harness;
beforeAll(async () => {
  const settings = {
    COMMUNITY_NAME: community,
    COMMUNITY_LINKS: "Discord=https://discord.example.org/in?a=1&b=2",
  };
  harness = await openHarness({ settings });
});
afterAll(() => harness[Symbol.asyncDispose]());

/** Which steps show what, without words. */
const shapeOf = (of: PlayWords) =>
  launchers.map((launcher) => {
    const { steps, drag, notice } = of.launchers[launcher];
    const shows = steps.map(({ shows: shown = [] }) => shown);
    return { launcher, shows, drags: drag !== undefined, notices: notice !== undefined };
  });

describe.each(languages)("in %s", (language) => {
  test("the page has its steps without scripts", async () => {
    const html = await pageOf(harness, language);
    const { heading, noScript } = (await serverWords[language].served()).play;
    expect(html).toContain(`<title>${heading} · Ember &amp; &lt;Ash&gt;</title>`);
    expect(html).toContain(`<h1 dir="auto">${heading}</h1></div><div class="play" lang="${language}">`);
    expect(html).toContain(`<p class="needs-script">${noScript}</p>`);
    expect(partsIn(html)).toEqual([...launchers]);
    for (const launcher of launchers) expect(html).toContain(`<a href="#${launcher}">`);
    expect(html.split(`<div class="play-address"><code>${address}</code></div>`)).toHaveLength(6);
    expect(html).toContain('href="https://discord.example.org/in?a=1&amp;b=2" rel="noreferrer"');
    for (const path of ["/register", "/forgetpass", "/registerfinish"])
      expect(html).toContain(`<a href="${path}">`);
  });

  test("names in Chinese say so among other words", async () => {
    const html = await pageOf(harness, language);
    const plain = html.match(/<b>[^<]*\p{Script=Han}[^<]*<\/b>/gu) ?? [];
    const marked = html.match(/<b lang="zh-Hans">/g) ?? [];
    expect([plain.length > 0, marked.length > 0]).toEqual(
      language === "zh-Hans" ? [true, false] : [false, true],
    );
  });

  test("no sign of the texts is left, and the policy allows all of it", async () => {
    const html = await pageOf(harness, language);
    const body = html.slice(html.indexOf('<div class="play"'));
    expect(body.replaceAll(/<[^>]*>/g, "")).not.toMatch(/[*[\]{}]/);
    expect(html).not.toMatch(/ style=| on[a-z]+=|<Ash>/);
  });

  test("the steps are those of English", async () => {
    const [own, english] = await Promise.all([serverWords[language].served(), serverWords.en.served()]);
    expect(shapeOf(own.play)).toEqual(shapeOf(english.play));
  });
});

test.each([
  ["yggdrasil", ["hmcl", "pcl", "fjord", "xmcl", "own", "other"]],
  ["gravit", ["gravit", "own"]],
  ["csl,avatars", []],
  ["none", []],
])("with PROTOCOLS=%s it has the launchers %j", async (protocols, shown) => {
  await using other = await openHarness({ settings: { COMMUNITY_NAME: community, PROTOCOLS: protocols } });
  const html = await pageOf(other);
  expect(partsIn(html)).toEqual(shown);
  expect(html.includes("No launcher can sign in here")).toBe(shown.length === 0);
  expect(html.includes(address)).toBe(protocols === "yggdrasil");
});

test.each([
  ["CONSOLE", "false"],
  ["PROTOCOLS", "csl"],
  ["PROTOCOLS", "gravit"],
])("with %s=%s mails lead to the page where it has steps", async (setting, value) => {
  await using other = await openHarness({ settings: { [setting]: value } });
  expect((await other.fetch("/play")).status).toBe(setting === "CONSOLE" ? 404 : 200);
  const chief = await addMember(other, "Chief", { level: 3 });
  const preview = await edit(other, chief, "POST /api/admin/mail/preview", {
    subject: "Hello",
    message: "Hi",
  });
  expect(preview.status).toBe(200);
  expect((await preview.text()).includes(`${siteUrl}/play`)).toBe(value === "gravit");
});
