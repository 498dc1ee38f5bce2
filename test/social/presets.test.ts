/** Every provider that we know by name, in its own shape, with every request looked at. */
import { describe, expect, test } from "bun:test";
import { profileOf } from "../support/registration.ts";
import { expectError } from "../support/scenario.ts";
import {
  discordShape,
  githubShape,
  googleShape,
  twitchShape,
  type ProviderShape,
} from "../support/social/provider-shapes.ts";
import {
  create,
  createAccount,
  discordPerson,
  meet,
  metaOf,
  openSocialWorld,
  signInSocially,
} from "../support/social/social-world.ts";

const people = [
  {
    shape: discordShape,
    user: {
      id: "80351110224678912",
      username: "nelly",
      avatar: "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png",
    },
    name: "nelly",
    mail: "nelly@example.net",
  },
  {
    shape: githubShape,
    user: { id: "9007199254740993", username: "octo-cat", avatar: "https://avatars.example/u/1?v=4" },
    name: "octo_cat",
    mail: "octocat@example.net",
  },
  {
    shape: googleShape,
    user: { id: "110248495921238986420", username: "Алиса Селезнёва", avatar: "https://pictures.example/a" },
    name: "Alisa_Selezneva",
    mail: "alisa@example.net",
  },
  {
    shape: twitchShape,
    user: { id: "141981764", username: "twitchdev", avatar: "https://pictures.example/t.png" },
    name: "twitchdev",
    mail: "dev@example.net",
  },
];

test.each(people)("$shape.name: says who it is, and an account comes of it", async (person) => {
  await using world = await openSocialWorld({ shape: person.shape });
  const user = await meet(world);
  expect(user).toEqual({ ...person.user, conn_id: expect.any(Number) });
  const created = await create(world.harness, metaOf(user));
  expect(created.status).toBe(200);
  expect((await signInSocially(world)).status).toBe(200);
  const { jwt } = ((await created.json()) as { data: { jwt: string } }).data;
  expect(await profileOf(world.harness, { authorization: `Bearer ${jwt}` })).toMatchObject({
    Username: person.name,
    Mail: person.mail,
    Mail_verification: 1,
    Social: { userid: person.user.id, username: person.user.username, avatar: person.user.avatar },
  });
});

test.each(people)("$shape.name: refuses a code that it did not give", async ({ shape }) => {
  await using world = await openSocialWorld({ shape });
  await expectError(await world.harness.fetch("/auth/social/callback?code=guess"), 400, /was refused/);
});

function emails(list: unknown): ProviderShape["profile"] {
  return { ...githubShape.profile, "/api/v3/user/emails": JSON.stringify(list) };
}

function google(rest: object): ProviderShape["profile"] {
  const user = JSON.parse(googleShape.profile["/v1/userinfo"] ?? "{}");
  return { "/v1/userinfo": JSON.stringify({ ...user, ...rest }) };
}

describe("a mail address is taken only when the provider vouches for it", () => {
  const cases: readonly (readonly [string, ProviderShape, ProviderShape["profile"]])[] = [
    ["discord: not verified", discordShape, discordPerson({ verified: false })],
    ["discord: verified, says a text", discordShape, discordPerson({ verified: "true" })],
    ["discord: none", discordShape, discordPerson({ email: null })],
    ["discord: no address at all", discordShape, discordPerson({ email: "nelly at example" })],
    [
      "discord: one with a second header",
      discordShape,
      discordPerson({ email: "n@example.net\r\nBcc: x@y.zz" }),
    ],
    [
      "github: primary but not verified",
      githubShape,
      emails([{ email: "a@example.net", primary: true, verified: false }]),
    ],
    [
      "github: verified but not primary",
      githubShape,
      emails([{ email: "a@example.net", primary: false, verified: true }]),
    ],
    ["github: no list", githubShape, emails({ message: "no" })],
    ["google: not verified", googleShape, google({ email_verified: false })],
    ["google: verified, says a text", googleShape, google({ email_verified: "true" })],
  ];
  test.each(cases)("%s", async (_, shape, profile) => {
    await using world = await openSocialWorld({ shape });
    world.provider.become(profile);
    const jwt = await createAccount(world);
    expect(await profileOf(world.harness, { authorization: `Bearer ${jwt}` })).toMatchObject({
      Mail: "",
      Mail_verification: 0,
    });
  });

  test("github: the list is forbidden", async () => {
    await using world = await openSocialWorld({ shape: githubShape });
    world.provider.answer("/api/v3/user/emails", () => Response.json({ message: "no" }, { status: 403 }));
    const jwt = await createAccount(world);
    expect(await profileOf(world.harness, { authorization: `Bearer ${jwt}` })).toMatchObject({ Mail: "" });
  });
});

test.each([
  ["9007199254740993", "9007199254740993"],
  ["123456789012345678901234567890", "123456789012345678901234567890"],
  ["0", "0"],
  ['"0042"', "0042"],
])("an id of %s keeps its digits", async (literal, id) => {
  await using world = await openSocialWorld({ shape: githubShape });
  world.provider.become({
    "/api/v3/user": `{"login":"octo","id":${literal}}`,
    "/api/v3/user/emails": "[]",
  });
  const user = await meet(world);
  expect(user.id).toBe(id);
  const body = `{"meta":{"id":${literal},"conn_id":${user.conn_id}}}`;
  const headers = { "content-type": "application/json" };
  const response = await world.harness.fetch("/api/auth/register/social", { method: "POST", headers, body });
  expect(response.status).toBe(200);
  expect((await signInSocially(world)).status).toBe(200);
});

test.each(["-1", "1.5", "1e400", "true", "[1]"])("an id of %s is none", async (literal) => {
  await using world = await openSocialWorld({ shape: githubShape });
  world.provider.become({
    "/api/v3/user": `{"login":"octo","id":${literal}}`,
    "/api/v3/user/emails": "[]",
  });
  expect((await signInSocially(world)).status).toBe(502);
});
