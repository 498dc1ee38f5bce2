import { expect, test } from "bun:test";
import { checkAnswers, type CheckedHarness } from "../support/answer-check.ts";
import { addMember } from "../support/members.ts";
import { ownHeaders } from "../support/console.ts";
import { operationsOf } from "../support/openapi.ts";
import { publicUrl } from "../support/harness.ts";
import { expectError } from "../support/scenario.ts";
import { openBrowser } from "../support/social/browser.ts";
import {
  discordPerson,
  link,
  meet,
  metaOf,
  openSocialWorld,
  create,
  redirectUri,
} from "../support/social/social-world.ts";

/** Signs somebody new in to the console, links them and creates an account for another one. */
async function playConsole(
  { harness }: { readonly harness: CheckedHarness },
  become: (id: string) => void,
): Promise<void> {
  const meetInConsole = async (id: string): Promise<string> => {
    become(id);
    const browser = openBrowser(harness);
    browser.stopBefore(redirectUri);
    const { url } = await browser.open(`${publicUrl}/auth/social/login?to=console`);
    const response = await browser.peek(url);
    return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  };
  const berta = await addMember(harness, "Berta");
  const ask = (cookie: string, json: unknown, type = "application/json") =>
    harness.fetch("/console/social", {
      method: "POST",
      headers: { ...ownHeaders, cookie, "content-type": type },
      body: JSON.stringify(json),
    });
  const link = { action: "link", username: "Berta", password: berta.password };
  const first = await meetInConsole("11");
  await harness.fetch("/console/social", { headers: { ...ownHeaders, cookie: first } });
  const answers = [
    await harness.fetch("/console/social", { method: "POST" }),
    await ask(first, { ...link, password: "a wrong password" }),
    await ask(first, link),
    await ask(first, link),
    await ask(first, link, "text/plain"),
    await ask(first, "x".repeat(600_000)),
    await ask(await meetInConsole("12"), link),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 401, 200, 400, 415, 413, 409]);
  expect(await meetInConsole("11")).toStartWith("__Host-cloakroom=");
}

/** What only a server in trouble answers; the three are the same everywhere. */
const troubles = new Set(["408", "429", "500", "503", "507"]);

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

  await harness.fetch("/auth/social/login?to=console&provider=oidc");
  await playConsole(checked, become);
  const described = operationsOf(harness.document)
    .filter(
      ({ path, operation: { tags } }) => tags[0] === "Social login and linking" || path === "/console/social",
    )
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
