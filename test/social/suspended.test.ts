/** Suspended accounts at the door of social providers (docs/contract/social.md). */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { suspendUser } from "../../src/domain/members/suspend.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openConsoleBrowser } from "../support/console.ts";
import { type Harness, publicUrl } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import { openBrowser } from "../support/social/browser.ts";
import {
  createAccount,
  link,
  meet,
  metaOf,
  newPerson,
  openSocialWorld,
  signInSocially,
  type SocialWorld,
} from "../support/social/social-world.ts";

// Each test has a world of its own: one of them lets the time of the suspension pass.
let world: SocialWorld;
let harness: Harness;
beforeEach(async () => {
  world = await openSocialWorld();
  harness = world.harness;
});
afterEach(() => world[Symbol.asyncDispose]());
/** A minute after every world begins. */
const until = Date.UTC(2100, 0, 1, 0, 1) / 1000;
const reason = "a reason of their own";
const suspended = { until, reason };
const msg = `This account is suspended until 2100-01-01 00:01 UTC: ${reason}`;

const suspend = (identifier: string) =>
  suspendUser(harness.services, commandLine, { identifier, terms: suspended });
const identities = () => harness.countRows("identities");

const refusalOf = async (response: Response) => {
  const { data, msg, error } = await readJson<Envelope<unknown> & { readonly error: boolean }>(response);
  return [response.status, response.headers.get("x-error"), { error, msg, data }];
};
const refused = [403, `suspended; until=${until}`, { error: true, msg, data: { suspended } }];

/** A person whom an account is linked to, by its name. */
async function linked(name: string): Promise<Member> {
  newPerson(world);
  const member = await addMember(harness, name);
  expect((await link(harness, member, metaOf(await meet(world)))).status).toBe(200);
  return member;
}

test("a website's callback answers 403 with the reason, and opens no session", async () => {
  const member = await linked("Anna");
  expect((await signInSocially(world)).status).toBe(200);
  await suspend(member.name);
  expect(await refusalOf(await signInSocially(world))).toEqual(refused);
  expect(harness.countRows("sessions")).toBe(0);
});

test("a callback of the console leads to the sign-in page, which says it", async () => {
  const member = await linked("Bert");
  await suspend(member.name);
  const browser = openBrowser(harness);
  browser.stopBefore(`${publicUrl}/login`);
  const page = await browser.open(`${publicUrl}/auth/social/login?to=console&next=/home/capes`);
  expect(page.url).toBe(`${publicUrl}/login?problem=suspended&next=%2Fhome%2Fcapes`);
  expect(page.response.status).toBe(303);
  expect(browser.cookiesFor(`${publicUrl}/home`)).not.toContain("__Host-cloakroom=");
});

test("linking by the password is refused, and links nobody", async () => {
  newPerson(world);
  const member = await addMember(harness, "Carla");
  await suspend(member.name);
  const before = identities();
  const meta = metaOf(await meet(world));
  expect((await link(harness, { ...member, password: "a wrong password" }, meta)).status).toBe(401);
  expect(await refusalOf(await link(harness, member, meta))).toEqual(refused);
  expect(identities()).toBe(before);
});

test("so it is on the console's page", async () => {
  newPerson(world);
  const member = await addMember(harness, "Doro");
  await suspend(member.name);
  const browser = openBrowser(harness);
  browser.stopBefore(`${publicUrl}/social`);
  await browser.open(`${publicUrl}/auth/social/login?to=console`);
  const pages = openConsoleBrowser(harness);
  for (const pair of browser.cookiesFor(`${publicUrl}/console/social`).split("; ")) {
    const [name = "", value = ""] = pair.split(/=(.*)/);
    pages.cookies.set(name, value);
  }
  const json = { action: "link", username: member.name, password: member.password };
  expect(await refusalOf(await pages.send("POST /console/social", json))).toEqual(refused);
});

test("an account that came from a provider is let in after the end", async () => {
  const id = newPerson(world);
  await createAccount(world);
  const [row] = harness.database.everything()["identities"]!.slice(-1) as readonly { account_id: number }[];
  await suspend(String(row?.account_id));
  expect(id).not.toBe("");
  expect(await refusalOf(await signInSocially(world))).toEqual(refused);
  harness.clock.advance(60);
  expect((await signInSocially(world)).status).toBe(200);
});
