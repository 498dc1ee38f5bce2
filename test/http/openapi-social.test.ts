import { expect, test } from "bun:test";
import { checkAnswers } from "../support/answer-check.ts";
import { addMember } from "../support/members.ts";
import { operationsOf } from "../support/openapi.ts";
import { expectError } from "../support/scenario.ts";
import {
  discordPerson,
  link,
  meet,
  metaOf,
  openSocialWorld,
  create,
  redirectUri,
} from "../support/social/social-world.ts";

/** What only a server in trouble answers; the three are the same everywhere. */
const troubles = new Set(["408", "429", "500", "507"]);

test("every answer of social login is as it is described, and every one that is described is given", async () => {
  const settings = {
    SOCIAL_PROVIDERS: "discord,oidc",
    SOCIAL_OIDC_CLIENT_ID: "o",
    SOCIAL_OIDC_CLIENT_SECRET: "o",
    // Nothing listens there.
    SOCIAL_OIDC_ISSUER: "http://127.0.0.1:1",
  };
  await using world = await openSocialWorld({ settings });
  const harness = await checkAnswers(world.harness);
  const { provider } = world;
  const checked = { harness };
  const become = (id: string) => provider.become(discordPerson({ id, username: `nelly${id}` }));

  await harness.fetch("/auth/social/login");
  await harness.fetch("/auth/social/login?provider=nobody");
  await harness.fetch("/auth/social/login?provider=oidc");
  await harness.fetch("/auth/social/callback");
  await harness.fetch("/auth/social/callback?error=access_denied");
  provider.answer("/api/oauth2/token", () => new Response("down", { status: 503 }));
  await harness.fetch("/auth/social/callback?code=x");
  provider.answer("/api/oauth2/token", null);

  const anna = await addMember(harness, "Anna");
  const half = await addMember(harness, "half", { finished: false });
  become("1");
  const first = metaOf(await meet(checked));
  expect((await link(harness, { name: half.mail, password: half.password }, first)).status).toBe(403);
  expect((await link(harness, { name: "Anna", password: "a wrong password" }, first)).status).toBe(401);
  expect((await link(harness, anna, first)).status).toBe(200);
  expect((await link(harness, anna, first)).status).toBe(400);
  expect((await create(harness, first)).status).toBe(400);
  expect((await harness.fetch(`/auth/social/callback?code=${provider.giveCode(redirectUri)}`)).status).toBe(
    200,
  );
  become("2");
  const second = metaOf(await meet(checked));
  expect((await link(harness, anna, second)).status).toBe(409);
  expect((await create(harness, second)).status).toBe(200);

  for (const path of ["/api/auth/login/social", "/api/auth/register/social"]) {
    const send = (type: string, body: string) =>
      harness.fetch(path, { method: "POST", headers: { "content-type": type }, body });
    await expectError(await send("text/plain", "x"), 415);
    await expectError(await send("application/json", JSON.stringify("x".repeat(600_000))), 413);
  }

  const described = operationsOf(harness.document)
    .filter(({ operation: { tags } }) => tags[0] === "Social login and linking")
    .flatMap(({ method, path, operation }) =>
      Object.keys(operation.responses)
        .filter((status) => !troubles.has(status))
        .map((status) => `${method} ${path} ${status}`),
    );
  expect(described.length).toBeGreaterThan(15);
  expect(described.filter((answer) => !harness.answered.has(answer))).toEqual([]);
  expect(harness.unlikeExamples()).toEqual([]);
  harness.takeComplaints();
});
