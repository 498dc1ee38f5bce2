/** Where the links in mails have their codes (docs/guide/website.md#the-pages-that-mails-lead-to). */
import { expect, test } from "bun:test";
import { openHarness, publicUrl } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { lastMail, orderCode, orderMailCode } from "../support/registration.ts";

const elsewhere = "https://www.example.org";

test.each([
  ["behind # where the console is the website", { SITE_URL: undefined }, `${publicUrl}/PAGE#code=CODE`],
  ["behind # where the settings say the same", { SITE_URL: publicUrl }, `${publicUrl}/PAGE#code=CODE`],
  ["in the query for a website elsewhere", { SITE_URL: elsewhere }, `${elsewhere}/PAGE?code=CODE`],
  [
    "in the query without the console",
    { SITE_URL: undefined, CONSOLE: "false" },
    `${publicUrl}/PAGE?code=CODE`,
  ],
])("codes stand %s", async (_, settings, link) => {
  await using harness = await openHarness({ settings: { PUBLIC_URL: publicUrl, ...settings } });
  const member = await addMember(harness, "Linked");
  const codes = [
    ["confirm", "new@example.org", await orderCode(harness, "confirm", "new@example.org")],
    ["resetpassword", member.mail, await orderCode(harness, "reset", member.mail)],
    ["home/mail", "newer@example.org", await orderMailCode(harness, member, "newer@example.org")],
  ] as const;
  for (const [page, to, code] of codes)
    expect(lastMail(harness, to)).toMatchObject({ link: link.replace("PAGE", page).replace("CODE", code) });
});
