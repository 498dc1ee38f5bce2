/**
 * An id means a person only together with its issuer: behind another issuer the same id is another person.
 */
import { describe, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { adoptIdentities } from "../../src/domain/social/issuers.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { profileOf } from "../support/registration.ts";
import { startFakeIssuer } from "../support/social/fake-issuer.ts";
import { startProvider } from "../support/social/provider-server.ts";
import { githubShape } from "../support/social/provider-shapes.ts";
import {
  create,
  link,
  metaOf,
  redirectUri,
  settingsOf,
  type SignedIn,
  type SocialUser,
} from "../support/social/social-world.ts";

/** A provider at an address of its own; all of them know one and the same person. */
type Place = AsyncDisposable & {
  readonly settings: Readonly<Record<string, string>>;
  readonly giveCode: () => string;
};

async function openIssuer(): Promise<Place> {
  const issuer = await startFakeIssuer();
  const { SOCIAL_OIDC_BASE_URL: _, ...access } = settingsOf("oidc", "");
  const settings = { ...access, SOCIAL_OIDC_ISSUER: issuer.url };
  return { settings, giveCode: () => "x", [Symbol.asyncDispose]: () => issuer[Symbol.asyncDispose]() };
}

async function openGithub(): Promise<Place> {
  const provider = startProvider(githubShape, redirectUri);
  const settings = settingsOf("github", provider.url);
  const giveCode = () => provider.giveCode(redirectUri);
  return { settings, giveCode, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
}

const token = "a service token that is long enough";
const openAt = (folder: string, { settings }: Place) =>
  openHarness({ folder, settings: { ...settings, SERVICE_API_TOKEN: token } });

const comeBack = (harness: Harness, place: Place) =>
  harness.fetch(`/auth/social/callback?code=${place.giveCode()}`);

/** Who comes back from the provider and is not linked. */
async function meet(harness: Harness, place: Place): Promise<SocialUser> {
  const response = await comeBack(harness, place);
  expect(response.status).toBe(404);
  return (await readJson<Envelope<{ user: SocialUser }>>(response)).data.user;
}

async function uuidOf(harness: Harness, signedIn: Response): Promise<unknown> {
  expect(signedIn.status).toBe(200);
  const { data } = await readJson<Envelope<SignedIn>>(signedIn);
  return (await profileOf(harness, { authorization: `Bearer ${data.jwt}` }))["Uuid"];
}

function findBySocialId(harness: Harness, body: object): Promise<Response> {
  const headers = { authorization: token, "content-type": "application/json" };
  return harness.fetch("/api/service/user", { method: "POST", headers, body: JSON.stringify(body) });
}

/** One data folder, and two places that each know a person by the same id. */
async function openWorld(open: () => Promise<Place>) {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await temporaryFolder());
  const first = opened.use(await open());
  const second = opened.use(await open());
  const closing = opened.move();
  return { folder: folder.path, first, second, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

describe.each([
  ["an OpenID Connect issuer", "oidc", openIssuer],
  ["GitHub at a base address", "github", openGithub],
] as const)("%s", (_, provider, open) => {
  test("that takes the place of another does not sign its people in as the other's", async () => {
    await using world = await openWorld(open);
    const { folder, first, second } = world;
    await using before = await openAt(folder, first);
    const person = await meet(before, first);
    expect((await create(before, metaOf(person))).status).toBe(200);
    const owner = await uuidOf(before, await comeBack(before, first));

    await using after = await openAt(folder, second);
    const other = await meet(after, second);
    expect(other.id).toBe(person.id);
    expect((await create(after, metaOf(other))).status).toBe(200);
    expect(await uuidOf(after, await comeBack(after, second))).not.toBe(owner);
    expect(await uuidOf(before, await comeBack(before, first))).toBe(owner);
  });

  test("has people who wait beside those of another, under numbers of their own", async () => {
    await using world = await openWorld(open);
    const { folder, first, second } = world;
    await using before = await openAt(folder, first);
    const waiting = await meet(before, first);
    await using after = await openAt(folder, second);
    const other = await meet(after, second);
    const anna = await addMember(after, "Anna");
    expect((await link(after, anna, metaOf(other))).status).toBe(200);
    expect(await uuidOf(after, await comeBack(after, second))).toBe(anna.uuid);
    expect((await create(before, metaOf(waiting))).status).toBe(200);
    expect(await uuidOf(before, await comeBack(before, first))).not.toBe(anna.uuid);
  });

  test("is who services mean by an id; another's people count as not linked", async () => {
    await using world = await openWorld(open);
    const { folder, first, second } = world;
    await using before = await openAt(folder, first);
    const anna = await addMember(before, "Anna");
    const person = await meet(before, first);
    expect((await link(before, anna, metaOf(person))).status).toBe(200);
    const bySocialId = { Social_id: person.id };
    const both = { ...bySocialId, Playername: "Anna" };
    for (const body of [bySocialId, both]) expect((await findBySocialId(before, body)).status).toBe(200);

    await using after = await openAt(folder, second);
    expect((await findBySocialId(after, bySocialId)).status).toBe(404);
    expect((await findBySocialId(after, both)).status).toBe(400);
    const byName = await findBySocialId(after, { Playername: "Anna" });
    expect(await byName.json()).toMatchObject({ social: { id: "" }, account: { uuid: anna.uuid } });
    const bert = await addMember(after, "Bert");
    expect((await link(after, bert, metaOf(await meet(after, second)))).status).toBe(200);
    const found = await findBySocialId(after, bySocialId);
    expect(await found.json()).toMatchObject({ account: { uuid: bert.uuid } });
  });

  test("takes over the people from before issuers were kept, once", async () => {
    await using world = await openWorld(open);
    const { folder, first, second } = world;
    await using harness = await openAt(folder, first);
    const anna = await addMember(harness, "Anna");
    expect((await link(harness, anna, metaOf(await meet(harness, first)))).status).toBe(200);
    const gone = await addMember(harness, "Gone");
    const lost = { provider: "twitch", issuer: "", subject: "1", username: "gone", avatar: "" };
    await harness.services.transact(system, ({ identities }) =>
      identities.insertIdentity({ ...lost, accountId: gone.account.id, linkedAt: 1 }),
    );
    forgetIssuers(harness);
    await meet(harness, first);

    const { social } = harness.config;
    const issuer = social[0]?.issuer ?? "";
    expect(await adoptIdentities(harness.services, social)).toEqual([{ provider, issuer, identities: 1 }]);
    expect(await adoptIdentities(harness.services, social)).toEqual([]);
    expect(await uuidOf(harness, await comeBack(harness, first))).toBe(anna.uuid);
    const { identities } = harness.services.reads;
    expect(await identities.findIdentityOf(gone.account.id)).toMatchObject({ issuer: "" });

    await using after = await openAt(folder, second);
    expect(await adoptIdentities(after.services, after.config.social)).toEqual([]);
    await meet(after, second);
  });

  test("does not link people who waited from before issuers were kept", async () => {
    await using world = await openWorld(open);
    await using harness = await openAt(world.folder, world.first);
    const person = await meet(harness, world.first);
    forgetIssuers(harness);
    expect((await create(harness, metaOf(person))).status).toBe(400);
  });
});

/** As the migration finds them. */
function forgetIssuers({ database }: Harness): void {
  for (const table of ["identities", "pending_people"]) database.change(`UPDATE ${table} SET issuer = ''`);
}
