import { describe, expect, test } from "bun:test";
import { ConfigError, loadConfig } from "../../src/boot/config.ts";

const load = (environment: Record<string, string>) =>
  loadConfig({ flags: {}, environment, file: null, logsToTerminal: false });

async function faultsOf(environment: Record<string, string>): Promise<readonly string[]> {
  try {
    await load(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe("SMTP_URL", () => {
  test.each([
    ["smtp://mail.example.org", { host: "mail.example.org", port: 587, secure: false, credentials: null }],
    ["smtps://mail.example.org/", { host: "mail.example.org", port: 465, secure: true, credentials: null }],
    ["smtp://localhost:2525", { host: "localhost", port: 2525, secure: false, credentials: null }],
    ["smtp://[::1]:25", { host: "::1", port: 25, secure: false, credentials: null }],
  ])("%s is read", async (url, smtp) => {
    expect((await load({ SMTP_URL: url })).config.mail.smtp).toEqual(smtp);
  });

  test("has user and password with percent signs undone, the password hidden", async () => {
    const { config } = await load({
      SMTP_URL: "smtp://me%40example.org:p%40ss%3Aw%25rd@mail.example.org:587",
    });
    const { credentials } = config.mail.smtp!;
    expect(credentials?.user).toBe("me@example.org");
    expect(credentials?.password.reveal()).toBe("p@ss:w%rd");
    expect(Bun.inspect(config) + JSON.stringify(config)).not.toContain("p@ss");
  });

  test.each([
    "mail.example.org",
    "http://mail.example.org",
    "smtp://",
    "smtp://user@mail.example.org",
    "smtp://:pass@mail.example.org",
    "smtp://user:100%@mail.example.org",
    "smtp://mail.example.org/path",
    "smtp://mail.example.org?tls=no",
    "smtp://mail.example.org:99999",
    "smtp://ho st",
  ])("%s is refused, and not repeated", async (url) => {
    const [fault = "", ...others] = await faultsOf({ SMTP_URL: url });
    expect(others).toEqual([]);
    expect(fault).toMatch(/^SMTP_URL \(environment\) must /);
    expect(fault).not.toContain(url);
  });
});

describe("MAIL_FROM", () => {
  test.each([
    ["crew@example.org", { name: "", address: "crew@example.org" }],
    ["Our Crew <crew@example.org>", { name: "Our Crew", address: "crew@example.org" }],
    ['"Crew, Ours" <crew@example.org>', { name: "Crew, Ours", address: "crew@example.org" }],
    ["<crew@example.org>", { name: "", address: "crew@example.org" }],
    ["Команда <crew@example.org>", { name: "Команда", address: "crew@example.org" }],
  ])("%s is read", async (given, sender) => {
    expect((await load({ MAIL_FROM: given })).config.mail.from).toEqual(sender);
  });

  test.each([
    "crew",
    "Our Crew",
    "Our Crew crew@example.org",
    "a@example.org, b@example.org",
    "A <a@example.org> B <b@example.org>",
    "Crew\r\nBcc: b@example.org <a@example.org>",
  ])("%j is refused", async (given) => {
    expect(await faultsOf({ MAIL_FROM: given })).toEqual([
      expect.stringContaining("MAIL_FROM (environment) is"),
    ]);
  });
});
