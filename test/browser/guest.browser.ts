/** The pages before a sign-in, as guests use them: `bun run gate:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page, Response } from "playwright-core";
import { openConsole, type Console } from "../support/console-browser.ts";
import { addMember } from "../support/members.ts";
import {
  alertOf,
  field,
  fill,
  heading,
  memberButton,
  press,
  refused,
  status,
} from "../support/page-parts.ts";
import { accountOf, ask, lastCode, orderCode, signInStatus } from "../support/registration.ts";

let world: Console;
beforeAll(async () => {
  world = await openConsole({
    settings: {
      // Mails stay in the outbox, where the tests read them.
      SMTP_URL: "smtp://127.0.0.1:1",
      COMMUNITY_NAME: "The Builders",
      COMMUNITY_TEXT: "A small server for people who build.",
      COMMUNITY_LINKS: "Rules=https://rules.example.org/",
    },
  });
});
afterAll(() => world[Symbol.asyncDispose]());

const password = "seven horses in the rain";

/** Presses a button of the page itself. */
const send = (page: Page, name: string): Promise<void> => press(page.getByRole("main"), name);

describe("the start page", () => {
  test("introduces the community and shows the ways in", async () => {
    await using visitor = await world.visit();
    const { page, open } = visitor;
    await open("/");
    await heading(page, "The Builders").waitFor();
    expect(await page.title()).toBe("The Builders");
    await page.getByText("A small server for people who build.").waitFor();
    const main = page.getByRole("main");
    expect(await main.getByRole("link", { name: "Rules" }).getAttribute("href")).toBe(
      "https://rules.example.org/",
    );
    await main.getByRole("link", { name: "Register" }).click();
    await heading(page, "Register").waitFor();
    await page.goBack();
    await main.getByRole("link", { name: "Sign in" }).click();
    await heading(page, "Sign in").waitFor();
    expect(await page.title()).toBe("Sign in · The Builders");
  });

  test("has the address for launchers, to copy and to drag", async () => {
    await using visitor = await world.visit();
    const { page, context, open } = visitor;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open("/");
    const address = `${world.address}/api/yggdrasil`;
    await page.getByRole("button", { name: "Copy address" }).click();
    await status(page, "Copied").waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(address);
    const dragged = await page.evaluate<string>(`(() => {
      const dataTransfer = new DataTransfer();
      const drag = new DragEvent("dragstart", { bubbles: true, dataTransfer });
      document.querySelector("[draggable=true] code").dispatchEvent(drag);
      return dataTransfer.getData("text/plain");
    })()`);
    expect(dragged).toBe(`authlib-injector:yggdrasil-server:${encodeURIComponent(address)}`);
  });

  test("leads members to their wardrobe", async () => {
    const member = await addMember(world.harness, "Starter");
    await using visitor = await world.visit({ as: member });
    await visitor.open("/");
    await visitor.page.getByRole("link", { name: "Open your wardrobe" }).click();
    await visitor.page.waitForURL("**/home");
  });
});

describe("signing in", () => {
  test("says that a pair is wrong, keeps the name, and opens the page that was asked for", async () => {
    const member = await addMember(world.harness, "Signer");
    await using visitor = await world.visit({ expects: refused });
    const { page, open } = visitor;
    await open("/home/account");
    await heading(page, "Sign in").waitFor();
    expect(new URL(page.url()).search).toBe("?next=%2Fhome%2Faccount");
    await fill(page, { "Player name or e-mail": "Signer", Password: "not the password" });
    await send(page, "Sign in");
    await alertOf(page, "Invalid username or password").waitFor();
    expect(await field(page, "Player name or e-mail").inputValue()).toBe("Signer");
    await fill(page, { Password: member.password });
    await page.keyboard.press("Enter");
    await heading(page, "Account").waitFor();
    expect(new URL(page.url()).pathname).toBe("/home/account");
  });

  test("goes to the wardrobe where the next page is not one of ours", async () => {
    const member = await addMember(world.harness, "Next");
    for (const next of [
      "//example.org/home",
      "/\\example.org",
      "https://example.org/",
      "javascript:alert(1)",
      "home",
    ]) {
      await using visitor = await world.visit();
      const { page, open } = visitor;
      await open(`/login?next=${encodeURIComponent(next)}`);
      await fill(page, { "Player name or e-mail": member.name, Password: member.password });
      await send(page, "Sign in");
      await page.waitForURL(`${world.address}/home`);
    }
  });

  test("stays for a month when that is asked for", async () => {
    const member = await addMember(world.harness, "Stayer");
    await using visitor = await world.visit();
    const { page, open, context } = visitor;
    await open("/login");
    await fill(page, { "Player name or e-mail": member.name, Password: member.password });
    await page.getByRole("checkbox", { name: "Stay signed in" }).check();
    await send(page, "Sign in");
    await page.waitForURL("**/home");
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    expect(cookie?.expires).toBeGreaterThan(0);
  });

  test("shows the password on request, and hides it again", async () => {
    await using visitor = await world.visit();
    const { page, open } = visitor;
    await open("/login");
    await fill(page, { Password: password });
    const show = page.getByRole("button", { name: "Show Password" });
    const typeOf = () => field(page, "Password").getAttribute("type");
    expect([await typeOf(), await show.getAttribute("aria-pressed")]).toEqual(["password", "false"]);
    await show.click();
    expect([await typeOf(), await show.getAttribute("aria-pressed")]).toEqual(["text", "true"]);
    expect(await field(page, "Password").inputValue()).toBe(password);
    await show.click();
    expect(await typeOf()).toBe("password");
  });

  test("says why a sign-in came back from a provider", async () => {
    await using visitor = await world.visit();
    for (const [word, text] of [
      ["expired", "Start again."],
      ["refused", "did not let you through"],
      ["unavailable", "Try again later."],
      ["limited", "Too many tries."],
      ["failed", "Signing in did not work."],
      ["constructor", "Signing in did not work."],
    ] as const) {
      await visitor.open(`/login?problem=${word}`);
      await alertOf(visitor.page, text).waitFor();
    }
  });

  test("says without scripts that it needs them", async () => {
    await using visitor = await world.visit({ scripts: false });
    await visitor.open("/login");
    await visitor.page.getByText("This page needs JavaScript.").waitFor();
  });
});

/** Registers an address in a page, and gives the code that was mailed. */
async function register(page: Page, mail: string): Promise<string> {
  await page.goto("/register");
  await fill(page, { "E-mail": mail });
  await send(page, "Register");
  await heading(page, "Confirm your e-mail").waitFor();
  return lastCode(world.harness, mail);
}

/** Chooses name and password, which ends at the wardrobe. */
async function finish(page: Page, name: string): Promise<void> {
  await heading(page, "Choose your name").waitFor();
  await fill(page, { "Player name": name, Password: password });
  await send(page, "Finish");
  await page.waitForURL("**/home");
  await status(page, `Welcome, ${name}`).waitFor();
  expect(await signInStatus(world.harness, name, password)).toBe(200);
}

describe("registering", () => {
  test("goes from the address to the wardrobe in one tab, with one password", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    const faces: number[] = [];
    page.on("response", (answer) => {
      if (answer.url().includes("/api/skin/head/")) faces.push(answer.status());
    });
    const code = await register(page, "tab@example.org");
    await page.getByText("A code is on its way to tab@example.org.").waitFor();
    await fill(page, { Code: code });
    await send(page, "Confirm");
    await page.getByText("The account belongs to tab@example.org.").waitFor();
    await memberButton(page).waitFor();
    await page.waitForLoadState("networkidle");
    expect(faces).toEqual([]);
    await finish(page, "TabPlayer");
    await page.waitForFunction("document.querySelector('.member-button img')?.naturalWidth > 0");
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });

  test("goes on in both tabs, whichever of them uses the code of the mail's link", async () => {
    for (const usesCode of ["link", "waiting"] as const) {
      const mail = `${usesCode}@example.org`;
      await using visitor = await world.visit();
      const { page: waiting, context } = visitor;
      const code = await register(waiting, mail);
      const link = await context.newPage();
      await link.goto(`/confirm#code=${code}`);
      await link.getByText(`This link confirms ${mail}.`).waitFor();
      expect(await field(link, "Code").inputValue()).toBe(code);
      await link.reload();
      expect(await field(link, "Code").inputValue()).toBe(code);
      expect(await accountOf(world.harness, mail)).toMatchObject({ mailVerified: false });
      if (usesCode === "waiting") await fill(waiting, { Code: code });
      const [first, second] = usesCode === "link" ? [link, waiting] : [waiting, link];
      await send(first, "Confirm");
      await heading(second, "Choose your name").waitFor();
      await second.goto("/home/account");
      await heading(second, "Choose your name").waitFor();
      await second.goto("/registerfinish");
      await heading(second, "Choose your name").waitFor();
      await finish(first, `Both_${usesCode}`);
      await second.waitForURL("**/home");
    }
  });

  test("goes on in another browser, where the link was opened; no password of a stranger works", async () => {
    const mail = "elsewhere@example.org";
    await orderCode(world.harness, "confirm", mail, "what a stranger chose");
    await using desk = await world.visit();
    const code = await register(desk.page, mail);
    await desk.page.getByText("If you open the link on another device, go on there.").waitFor();
    await using telephone = await world.visit();
    await telephone.open(`/confirm#code=${code}`);
    await telephone.page.getByText("If that is not your address, close this page.").waitFor();
    await send(telephone.page, "Confirm");
    await finish(telephone.page, "Elsewhere");
    expect(await signInStatus(world.harness, mail, "what a stranger chose")).toBe(401);
    await heading(desk.page, "Confirm your e-mail").waitFor();
  });

  test("says that a link was used, and how to go on", async () => {
    const mail = "twice@example.org";
    await using visitor = await world.visit();
    const { page } = visitor;
    const code = await register(page, mail);
    await page.goto(`/confirm#code=${code}`);
    await send(page, "Confirm");
    await heading(page, "Choose your name").waitFor();
    await using later = await world.visit();
    await later.open(`/confirm#code=${code}`);
    await alertOf(later.page, "This code was used already").waitFor();
    await later.page.getByRole("main").getByRole("link", { name: "Register" }).click();
    await later.open(`/confirm#code=${await register(later.page, mail)}`);
    await send(later.page, "Confirm");
    await finish(later.page, "TwicePlayer");
  });

  test("leads to the code where too many mails were sent", async () => {
    await using limited = await openConsole({
      settings: { RATE_LIMIT_FACTOR: "1", SMTP_URL: "smtp://127.0.0.1:1" },
    });
    const mail = "flooded@example.org";
    const code = await orderCode(limited.harness, "confirm", mail, "what a stranger chose");
    await using visitor = await limited.visit({ expects: refused });
    const { page, open } = visitor;
    await open("/register");
    await fill(page, { "E-mail": mail });
    await send(page, "Register");
    await alertOf(page, "a code that is in its mailbox already works").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Confirm your e-mail" }).click();
    await fill(page, { Code: code });
    await send(page, "Confirm");
    await heading(page, "Choose your name").waitFor();
  });

  test("marks the field that is wrong, and keeps what was entered", async () => {
    await addMember(world.harness, "Taken");
    await using visitor = await world.visit({ expects: refused });
    const { page, open } = visitor;
    await open("/register");
    await fill(page, { "E-mail": "Taken@example.org" });
    await send(page, "Register");
    await alertOf(page, "an account with this address exists already").waitFor();
    const mail = field(page, "E-mail");
    expect(await mail.getAttribute("aria-invalid")).toBe("true");
    expect(await mail.inputValue()).toBe("Taken@example.org");
  });

  test("says in the visitor's language why it was refused", async () => {
    await addMember(world.harness, "Vergeben");
    await using visitor = await world.visit({ language: "de", expects: refused });
    const { page, open } = visitor;
    await open("/register");
    await fill(page, { "E-Mail": "Vergeben@example.org" });
    await send(page, "Registrieren");
    await alertOf(page, "Zu dieser Adresse gibt es schon ein Konto.").waitFor();
    expect(await field(page, "E-Mail").getAttribute("aria-invalid")).toBe("true");
  });

  test("refuses a wrong code, and sends another one", async () => {
    const mail = "again@example.org";
    await using visitor = await world.visit({ expects: refused });
    const { page } = visitor;
    const first = await register(page, mail);
    await fill(page, { Code: "AAAAA-AAAAA" });
    await send(page, "Confirm");
    await alertOf(page, "ask for a new one").waitFor();
    expect(await field(page, "Code").inputValue()).toBe("AAAAA-AAAAA");
    await page.reload();
    await send(page, "Send a new code");
    await status(page, "A new code is on its way").waitFor();
    expect(lastCode(world.harness, mail)).not.toBe(first);
  });

  test("asks no password again after a sign-in to an account without a name", async () => {
    const mail = "unnamed@example.org";
    const code = await orderCode(world.harness, "confirm", mail, password);
    await ask(world.harness, "POST /api/auth/confirm", { code });
    await using visitor = await world.visit();
    const { page, open } = visitor;
    await open("/login");
    await fill(page, { "Player name or e-mail": mail, Password: password });
    await send(page, "Sign in");
    await heading(page, "Choose your name").waitFor();
    expect(await field(page, "Password").inputValue()).toBe(password);
  });
});

describe("a code in a link", () => {
  test.each(["#code=", "?code="])("leaves the address at once, and stays in the page: %s", async (sign) => {
    await using visitor = await world.visit();
    const { page, open } = visitor;
    const loaded: string[] = [];
    page.on("request", (request) => {
      if (!request.isNavigationRequest()) loaded.push(request.url());
    });
    for (const path of ["/confirm", "/resetpassword"]) {
      await open(`${path}${sign}ABCDE-12345`);
      expect(await field(page, "Code").inputValue()).toBe("ABCDE-12345");
      expect(page.url()).toBe(`${world.address}${path}`);
      await page.reload();
      expect(await field(page, "Code").inputValue()).toBe("ABCDE-12345");
    }
    await page.goBack();
    await heading(page, "Confirm your e-mail").waitFor();
    expect(page.url()).toBe(`${world.address}/confirm`);
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((url) => url.includes("ABCDE"))).toEqual([]);
  });

  test("takes the place of the one before, where the page is open already", async () => {
    await using visitor = await world.visit();
    const { page, open } = visitor;
    await open("/confirm#code=ABCDE-12345");
    await page.evaluate(`location.hash = "code=FGHJK-67890"`);
    await page.waitForURL(`${world.address}/confirm`);
    expect(await field(page, "Code").inputValue()).toBe("FGHJK-67890");
  });
});

describe("resetting a password", () => {
  test("goes from the address to the new password", async () => {
    const member = await addMember(world.harness, "Resetter");
    await using visitor = await world.visit();
    const { page, open } = visitor;
    await open("/login");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await heading(page, "Reset your password").waitFor();
    await fill(page, { "E-mail": member.mail });
    await send(page, "Send code");
    await heading(page, "Set a new password").waitFor();
    await open(`/resetpassword#code=${lastCode(world.harness, member.mail)}`);
    await fill(page, { "New password": "a wholly new password" });
    expect(await signInStatus(world.harness, member.name, member.password)).toBe(200);
    await send(page, "Set password");
    await heading(page, "Sign in").waitFor();
    await status(page, "Password set.").waitFor();
    expect(await signInStatus(world.harness, member.name, "a wholly new password")).toBe(200);
  });
});

describe("states", () => {
  test("says that the server cannot be reached, keeps the input, and sends it again", async () => {
    const member = await addMember(world.harness, "Offline");
    await using visitor = await world.visit({ expects: /ERR_INTERNET_DISCONNECTED/ });
    const { page, open, context } = visitor;
    await open("/login");
    await fill(page, { "Player name or e-mail": member.name, Password: member.password });
    await context.setOffline(true);
    await send(page, "Sign in");
    await alertOf(page, "The server cannot be reached").waitFor();
    await context.setOffline(false);
    await send(page, "Sign in");
    await page.waitForURL("**/home");
  });

  test("counts the seconds down that the server asks to wait", async () => {
    await using limited = await openConsole({ settings: { RATE_LIMIT_FACTOR: "0.2" } });
    await using visitor = await limited.visit({ expects: refused });
    const { page, open } = visitor;
    await open("/login");
    const wait = page.getByRole("button", { name: /^Try again in \d+ seconds?$/ });
    let status = 0;
    for (let tries = 0; tries < 20 && status !== 429; tries += 1) {
      await fill(page, { "Player name or e-mail": "Nadja", Password: `wrong ${tries}` });
      const [answer] = await Promise.all([page.waitForResponse(isChange), send(page, "Sign in")]);
      status = answer.status();
      await page.locator("form[aria-busy=true]").waitFor({ state: "detached" });
    }
    await wait.waitFor();
    expect(await wait.getAttribute("aria-disabled")).toBe("true");
    expect(await field(page, "Player name or e-mail").inputValue()).toBe("Nadja");
  });
});

const isChange = (answer: Response) => answer.request().method() === "POST";

describe("languages", () => {
  test.each([
    ["de", "Anmelden", "Passwort"],
    ["ru", "Войти", "Пароль"],
    ["zh-CN", "登录", "密码"],
  ])("the browser's %s is spoken", async (language, title, label) => {
    await using visitor = await world.visit({ language });
    await visitor.open("/login");
    await heading(visitor.page, title).waitFor();
    await field(visitor.page, label).waitFor();
  });

  test("mails come in the language that was chosen on the page", async () => {
    await using visitor = await world.visit();
    const { page, open } = visitor;
    await open("/register");
    await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
    await heading(page, "Registrieren").waitFor();
    await fill(page, { "E-Mail": "deutsch@example.org" });
    await send(page, "Registrieren");
    await heading(page, "Bestätige deine E-Mail").waitFor();
    expect(await accountOf(world.harness, "deutsch@example.org")).toMatchObject({ language: "de" });
  });
});

describe("a server without a mail server", () => {
  test("says where its codes are", async () => {
    await using quiet = await openConsole();
    await using visitor = await quiet.visit();
    await visitor.open("/register");
    await fill(visitor.page, { "E-mail": "quiet@example.org" });
    await send(visitor.page, "Register");
    await visitor.page.getByText("This server sends no mail yet").waitFor();
  });
});
