/** What mails and the pages behind their links call the community. */
import { describe, expect, test } from "bun:test";
import { ConfigError, loadConfig } from "../../src/boot/config.ts";
import { loadMailTexts } from "../../src/boot/mail.ts";
import { accentColours } from "../../src/domain/model/accent.ts";
import { secretOf } from "../../src/boot/secrets.ts";
import { startMail } from "../../src/operate/jobs.ts";
import { run, temporaryFolder } from "../cli/run-program.ts";
import { jwtSecret, openHarness, publicUrl, siteUrl } from "../support/harness.ts";
import { ask } from "../support/registration.ts";
import { openMailServer } from "./mail-server.ts";

const COMMUNITY_NAME = "Die Würfelwelt & Co.";

const never = () => Promise.reject(new Error("the sender has a transact of its own"));

/**
 * Registers somebody with these settings, and gives the mail that comes of it and the page for a broken link.
 */
async function meet(settings: Record<string, string>) {
  await using server = await openMailServer();
  await using harness = await openHarness({
    settings: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, ...settings },
  });
  const { config, services, log } = harness;
  const secrets = { jwt: secretOf(jwtSecret), serviceToken: null };
  const texts = await loadMailTexts(config);
  const term = { signal: new AbortController().signal, isHeld: () => true, atomically: never };
  await using _sending = startMail({ config, services, secrets, texts, publicUrl, siteUrl, log, term });
  await ask(harness, "POST /api/auth/register", { mail: "anna@example.org", password: "x7-Kq!m2-anna" });
  await server.has(1);
  const page = await (await harness.fetch("/mail/unsubscribe/nonsense")).text();
  return { mail: server.mails[0]!, page };
}

test("COMMUNITY_ACCENT colours mails and their pages, in a form that people can read", async () => {
  const { mail, page } = await meet({ COMMUNITY_ACCENT: "#ffcc00" });
  const { light, dark } = accentColours("#ffcc00");
  const html = String(mail.html);
  expect(html).toContain(`bgcolor="${light.fill}"`);
  expect(html).toContain(`.button{background:${dark.fill}!important;color:${dark.onFill}!important}`);
  expect(page).toContain(`--accent:${light.accent};--fill:${light.fill};--onFill:${light.onFill}`);
  expect(page).toContain(`--accent:${dark.accent};--fill:${dark.fill};--onFill:${dark.onFill}`);
  for (const form of [html, page]) expect(form).not.toContain("#0f766e");
});

describe("COMMUNITY_NAME", () => {
  test("is how mails and their pages speak of the community, and whom they are from", async () => {
    const { mail, page } = await meet({ COMMUNITY_NAME });
    expect(mail.subject).toBe(`Confirm your email address for ${COMMUNITY_NAME}`);
    expect(mail.text).toContain(`An account on ${COMMUNITY_NAME} was registered`);
    expect(mail.html).toContain("Die Würfelwelt &amp; Co.");
    expect(mail.from?.value).toEqual([{ name: COMMUNITY_NAME, address: "noreply@www.example.org" }]);
    expect(mail.messageId).toEndWith("@www.example.org>");
    expect(page).toContain("Die Würfelwelt &amp; Co.");
  });

  test("leaves a sender's own name as it is, and gives one to an address alone", async () => {
    const named = await meet({ COMMUNITY_NAME, MAIL_FROM: "Our Crew <crew@example.org>" });
    expect(named.mail.from?.value).toEqual([{ name: "Our Crew", address: "crew@example.org" }]);
    const bare = await meet({ COMMUNITY_NAME, MAIL_FROM: "crew@example.org" });
    expect(bare.mail.from?.value).toEqual([{ name: COMMUNITY_NAME, address: "crew@example.org" }]);
  });

  test("is the website's host where it is not set", async () => {
    const { mail, page } = await meet({ MAIL_FROM: "crew@example.org" });
    expect(mail.subject).toBe("Confirm your email address for www.example.org");
    expect(mail.from?.value).toEqual([{ name: "", address: "crew@example.org" }]);
    expect(page).toContain("www.example.org");
  });

  test("stands in test mails, too", async () => {
    await using server = await openMailServer();
    await using folder = await temporaryFolder();
    const environment = { COMMUNITY_NAME, SMTP_URL: `smtp://127.0.0.1:${server.port}` };
    const args = ["mail", "test", "anna@example.org", "--data-dir", folder.path];
    expect((await run(args, { environment })).code).toBe(0);
    expect(server.mails[0]?.subject).toBe(`Test mail from ${COMMUNITY_NAME}`);
  });

  test.each(["   ", "-", "a\nBcc: b@example.org", "a\u2028b", "x".repeat(61)])(
    "%j is refused",
    async (name) => {
      const loading = loadConfig({
        flags: {},
        environment: { COMMUNITY_NAME: name },
        file: null,
        logsToTerminal: false,
      });
      const cause = await loading.catch((error: unknown) => error);
      expect(cause instanceof ConfigError ? cause.faults : []).toEqual([
        expect.stringContaining("must be one line of at most 60 characters, with a letter or digit"),
      ]);
    },
  );
});
