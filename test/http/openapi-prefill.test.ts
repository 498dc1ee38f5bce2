/** What the page fills in for requests that change something: nothing that could be sent by accident. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { runInNewContext } from "node:vm";
import { operationsOf, resolve, type JsonSchema, type Operation } from "../support/openapi.ts";
import { openWorld, type World } from "./openapi-world.ts";

let world: World;
let fillIn: FillIn;
beforeAll(async () => {
  world = await openWorld();
  fillIn = await loadPage();
});
afterAll(() => world.harness[Symbol.asyncDispose]());

type FillIn = (schema: object, mediaType: string | false, config: object, example?: object) => unknown;

/** The page's way to fill in, in the place of Swagger UI's own, which gives the example. */
async function loadPage(): Promise<FillIn> {
  const script = await Bun.file(new URL("../../src/http/openapi/page/page.js", import.meta.url)).text();
  const fn = { getSampleSchema: ((_schema, _type, _config, example) => plain(example)) as FillIn };
  const start = ({ plugins }: { readonly plugins: readonly { afterLoad?: (system: object) => void }[] }) => {
    for (const plugin of plugins) plugin.afterLoad?.({ fn });
  };
  runInNewContext(script, { window: { SwaggerUIBundle: start } });
  return (schema, mediaType, config, example) =>
    fn.getSampleSchema(immutable(schema), mediaType, config, example && immutable(example));
}

/** As Swagger UI hands things over. */
function immutable(value: object): object {
  return { toJS: () => structuredClone(value) };
}

function plain(value: object | undefined): unknown {
  return value === undefined ? "" : (value as { readonly toJS: () => unknown }).toJS();
}

/**
 * What the page sends before any input; null where it sends nothing, for something in the address is missing.
 */
function untouched({
  operation: { parameters = [], requestBody },
}: Operation): { readonly body?: string } | null {
  if (parameters.some(({ required, example }) => required && example === undefined)) return null;
  const { schema = {}, example } = requestBody?.content["application/json"] ?? {};
  if (requestBody === undefined) return {};
  // A form's file has to be chosen.
  if (typeof example !== "object" || example === null) return null;
  const resolved = resolve<JsonSchema>(world.harness.document, schema);
  return { body: JSON.stringify(fillIn(resolved, "application/json", { includeWriteOnly: true }, example)) };
}

test("a request that changes something is refused as it is filled in, or not even sent", async () => {
  const { harness, chief, service, unfinished } = world;
  const sent: string[] = [];
  for (const one of operationsOf(harness.document)) {
    // What needs no body, such as signing out, is sent as it is.
    if (one.method === "GET" || (one.method === "POST" && !one.operation.requestBody)) continue;
    const filledIn = untouched(one);
    if (filledIn === null) continue;
    const isFor = (scheme: string) => one.operation.security?.some((needed) => scheme in needed);
    const actor = one.operation.operationId === "finishRegistration" ? unfinished : chief;
    const { authorization } = isFor("serviceToken") ? service : actor;
    const headers = {
      "content-type": "application/json",
      ...(isFor("jwt") || isFor("serviceToken") ? { authorization } : {}),
    };
    const response = await harness.fetch(one.path, { method: one.method, headers, ...filledIn });
    sent.push(`${one.operation.operationId} ${response.status}`);
  }
  expect(sent).toContain("sendBulkMail 400");
  expect(sent).toContain("setPermission 400");
  // The console's own addresses take nothing from this page: 403.
  // It takes a deletion back, and there is none.
  const harmless = "keepOwnAccount 204";
  expect(sent.filter((answer) => !/ 40[013]$/.test(answer) && answer !== harmless)).toEqual([]);
});

test("a body has the names of what it needs, and no values", () => {
  const schema = { required: ["user", "cape", "meta", "name"] };
  const example = { user: 17, cape: ["x"], meta: { id: "1", conn_id: 2 }, name: "Anna", slim: true };
  const body = { user: null, cape: [], meta: { id: "", conn_id: null }, name: "" };
  expect(fillIn(schema, "application/json", { includeWriteOnly: true }, example)).toEqual(body);
});

test("a form starts empty, and examples of answers are Swagger UI's own", () => {
  expect(fillIn({ type: "string", examples: ["Diver"] }, false, {})).toBe("");
  const answer = { error: false, data: { name: "Anna" } };
  expect(fillIn({}, "application/json", { includeReadOnly: true }, answer)).toEqual(answer);
});
