/** What protocols answer is what the API's document says of them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newUuid } from "../../src/kernel/ids.ts";
import { checkAnswers } from "../support/answer-check.ts";
import { addMember, addSkin, grantCape, wearCape } from "../support/members.ts";
import { allOperationsOf, type Operation, type OpenApiDocument } from "../support/openapi.ts";
import { capePng, skinPng } from "../support/textures.ts";
import { enter } from "../yggdrasil/game-world.ts";
import { skinForm } from "../yggdrasil/world.ts";
import { auroraSecret, openProtocols } from "./protocol-world.ts";

const world = await openProtocols();
afterAll(() => world[Symbol.asyncDispose]());
const { harness } = world;

/** Files of a type that the document has no word for. */
const isKey = ({ path }: Operation) => path.startsWith("/ely/signature-verification-key");
const ofProtocols = (document: OpenApiDocument) =>
  allOperationsOf(document).filter((one) => one.operation["x-protocol"] === true && !isKey(one));

const checked = await checkAnswers(harness, ofProtocols);
const anna = await addMember(harness, "Anna");
const bare = await addMember(harness, "Bare");
const skin = await addSkin(harness, anna, { file: skinPng(1) });
const cape = await grantCape(harness, [anna], capePng(1, { wings: true }));
await wearCape(harness, anna, skin, cape);

const secrets = { secret: auroraSecret, hash: cape.texture.hash, type: "elytra" } as const;
const names = ["Anna", "Bare", "Nobody", "..."];
const ids = [anna.uuid, bare.uuid, newUuid(), "no-uuid"];

/**
 * The paths at which an operation is asked: about players with and without textures, unknown ones and what
 * can be none.
 */
function pathsOf({ path }: Operation): readonly string[] {
  const filled = names.map((name, at) =>
    path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
      if (Object.hasOwn(secrets, parameter)) return secrets[parameter as keyof typeof secrets];
      const value = parameter === "id" || parameter === "uuid" ? ids[at] : name;
      return encodeURIComponent(value ?? "");
    }),
  );
  return [...new Set(filled)];
}

/** Bodies that an address may take, and those that it refuses. */
const bodies = (): readonly (readonly [type: string | null, body: string | FormData])[] => [
  ["application/json", "{}"],
  ["application/json", '["Anna","Nobody"]'],
  ["application/json", JSON.stringify({ variant: "slim", url: "https://example.org/skin.png" })],
  ["text/plain", "x"],
  [null, skinForm(skinPng(3))],
  [null, skinForm(capePng(1, { wings: true }))],
  [null, new FormData()],
];

const faults: string[] = [];

async function ask(path: string, init: RequestInit): Promise<void> {
  await checked.fetch(path, init).catch((cause: unknown) => faults.push(String(cause)));
}

/** Asks every address, in every way, once for all tests. */
beforeAll(async () => {
  for (const operation of ofProtocols(checked.document)) {
    const { method } = operation;
    const { accessToken } = await enter(harness, anna);
    const authorization = `Bearer ${accessToken}`;
    for (const path of pathsOf(operation)) {
      await ask(path, { method });
      await ask(path, { method, headers: { authorization } });
      if (method === "GET" || method === "DELETE") continue;
      for (const [type, body] of bodies())
        await ask(path, {
          method,
          body,
          headers: { authorization, ...(type !== null && { "content-type": type }) },
        });
    }
  }
  harness.takeComplaints();
}, 60_000);

test("whatever is asked of any address", () => {
  const operations = ofProtocols(checked.document);
  expect(operations.length).toBeGreaterThan(70);
  const early = { $ref: "#/components/responses/head_too_large" };
  expect(operations.filter(({ operation }) => !Bun.deepEquals(operation.responses["431"], early))).toEqual(
    [],
  );
  expect(checked.document.components.responses["head_too_large"]).not.toHaveProperty("content");
  expect([...new Set(faults)]).toEqual([]);
});

test("every empty answer of games and launchers, and each refusal of an upload for its type", async () => {
  const opened = await enter(harness, anna);
  const { accessToken } = opened;
  const send = (path: string, json: unknown) =>
    checked.fetch(`/api/yggdrasil${path}`, { method: "POST", body: JSON.stringify(json) });
  await send("/sessionserver/session/minecraft/join", {
    accessToken,
    selectedProfile: { id: anna.uuid, name: "Anna" },
    serverId: "ab",
  });
  await send("/authserver/validate", { accessToken });
  await send("/authserver/invalidate", { accessToken });
  await send("/authserver/signout", { username: "Anna", password: anna.password });
  await checked.fetch("/api/yggdrasil/sessionserver/session/minecraft/hasJoined?username=Anna&serverId=cd");
  const described = ofProtocols(checked.document).flatMap(({ method, path, operation }) =>
    Object.keys(operation.responses)
      .filter((status) => status === "204" || status === "415")
      .map((status) => `${method} ${path} ${status}`),
  );
  // They want a token of the LaunchServer, or its secret.
  const ofLaunchServers = described.filter((answer) => answer.includes("/api/gravit/"));
  expect(ofLaunchServers).toHaveLength(4);
  expect(described.length).toBeGreaterThan(18);
  const given = (answer: string) => checked.answered.has(answer) || ofLaunchServers.includes(answer);
  expect(described.filter((answer) => !given(answer))).toEqual([]);
});
