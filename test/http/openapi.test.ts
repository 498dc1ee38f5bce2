import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { consolePages } from "../../src/words/page-list.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import {
  misfits,
  allOperationsOf,
  operationsOf,
  readDocument,
  resolve,
  type OpenApiDocument,
  type Operation,
  type ResponseObject,
} from "../support/openapi.ts";

let harness: Harness;
let document: OpenApiDocument;
let operations: readonly Operation[];
let everything: readonly Operation[];

beforeAll(async () => {
  harness = await openHarness();
  document = await readDocument(harness);
  operations = operationsOf(document);
  everything = allOperationsOf(document);
});
afterAll(() => harness[Symbol.asyncDispose]());

/** The page's own addresses are the only ones that are not described. */
const undescribed = [
  "GET /swagger",
  "GET /swagger/json",
  "GET /swagger/:file",
  "GET /favicon.ico",
  "GET /apple-touch-icon.png",
  "GET /console/accent.css",
  "GET /console/logo",
  "GET /console/preview.png",
  "GET /console/touch-icon",
  "GET /console/assets/:file",
  ...consolePages.map(({ path }) => `GET ${path}`),
];

/** What is said of `GET /api/home`. */
function find(request: string) {
  const found = operations.find(({ method, path }) => request === `${method} ${path}`);
  if (found === undefined) throw new Error(`${request} is not in the document`);
  return found.operation;
}

/** The operations of which something is not so, by their names. */
function faulty(isFaulty: (operation: Operation) => boolean): readonly string[] {
  return operations.filter(isFaulty).map(({ method, path }) => `${method} ${path}`);
}

/** Every JSON body that is described, with where. */
function jsonBodies() {
  const shared = Object.entries(document.components.responses).map(
    ([name, { content }]) => [name, content] as const,
  );
  const own = operations.flatMap(({ method, path, operation }) => [
    [`${method} ${path}`, operation.requestBody?.content] as const,
    ...Object.entries(operation.responses).map(
      ([status, answer]) =>
        [`${method} ${path} ${status}`, resolve<ResponseObject>(document, answer).content] as const,
    ),
  ]);
  return [...shared, ...own].flatMap(([where, content]) => {
    const media = content?.["application/json"];
    return media === undefined ? [] : [{ where, ...media }];
  });
}

test("every address of the service describes itself, and nothing else is described", () => {
  const described = everything.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`);
  const own = harness.routes.filter((route) => !harness.aliases.has(route));
  expect([...described, ...undescribed].sort()).toEqual(own.sort());
  expect([...harness.aliases.values()].filter((route) => !described.includes(route))).toEqual([]);
});

test("names the release and says how to get a token", () => {
  expect(document.openapi).toBe("3.1.1");
  expect(document.info).toMatchObject({ title: "cloakroom", version: "0.0.0-test" });
  expect(document.info.description).toContain("POST /api/auth/login");
  expect(document.components.securitySchemes).toMatchObject({
    jwt: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    serviceToken: { type: "apiKey", in: "header", name: "Authorization" },
  });
});

test("has the contract's sections and one for pages, and every operation is in one of them", () => {
  const sections = document.tags.map(({ name }) => name);
  expect(sections).toEqual([
    "Auth",
    "Social login and linking",
    "Home",
    "Admin",
    "Skin and cape delivery",
    "Service endpoints",
    "Mail pages",
    "Console",
    "Yggdrasil",
    "CustomSkinAPI",
    "UniSkinAPI",
    "Ely",
    "Old clients",
    "Avatars",
    "GravitLauncher",
    "AuroraLauncher",
    "Health",
  ]);
  const outside = everything.filter(
    ({ operation: { tags } }) => tags.length !== 1 || !sections.includes(tags[0]!),
  );
  expect(outside.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test("every operation says what it does, who may use it, and has a name of its own", () => {
  expect(faulty(({ operation: { summary } }) => !/^[A-Z].*[^.]$/.test(summary))).toEqual([]);
  expect(faulty(({ operation: { description } }) => !description.endsWith("."))).toEqual([]);
  expect(faulty(({ operation: { security } }) => security === undefined)).toEqual([]);
  const names = everything.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
});

test("an operation that asks for a token says how it refuses", () => {
  const asks = operations.filter(({ operation }) => operation.security?.length);
  expect(asks.length).toBeGreaterThan(10);
  expect(asks.filter(({ operation }) => !("401" in operation.responses))).toEqual([]);
});

test("every parameter is described and has an example that fits", () => {
  const parameters = operations.flatMap(({ method, path, operation }) =>
    (operation.parameters ?? []).map((parameter) => ({ where: `${method} ${path}`, ...parameter })),
  );
  expect(parameters.length).toBeGreaterThan(10);
  const faults = parameters.flatMap(({ where, name, description, schema, example }) => {
    const value = example ?? schema.examples?.[0];
    return [...(description ? [] : ["has no description"]), ...misfits(document, schema, value)].map(
      (fault) => `${where} ${name}: ${fault}`,
    );
  });
  expect(faults).toEqual([]);
});

test("the page fills in no parameter of what changes something", () => {
  const changing = operations.filter(({ method }) => method !== "GET");
  const filledIn = changing.flatMap(({ operation: { parameters = [] } }) =>
    parameters.filter(({ example }) => example !== undefined),
  );
  expect(filledIn).toEqual([]);
});

test("a parameter in the path is declared, and no other", () => {
  expect(operations.map(declaredInPath)).toEqual(
    operations.map(({ path }) => path.match(/(?<=\{)\w+/g) ?? []),
  );
});

function declaredInPath({ operation: { parameters = [] } }: Operation): readonly string[] {
  return parameters.filter((one) => one.in === "path").map(({ name }) => name);
}

test("every JSON body has an example, and it fits", () => {
  const bodies = jsonBodies();
  expect(bodies.length).toBeGreaterThan(operations.length);
  const faults = bodies.flatMap(({ where, schema, example }) =>
    misfits(document, schema ?? {}, example).map((fault) => `${where}: ${fault}`),
  );
  expect(bodies.filter(({ example }) => example === undefined)).toEqual([]);
  expect(faults).toEqual([]);
});

test("every answer is described, and so is every header, with an example that fits", () => {
  const answers = operations.flatMap(({ operation }) =>
    Object.values(operation.responses).map((answer) => resolve<ResponseObject>(document, answer)),
  );
  expect(answers.filter(({ description }) => !description)).toEqual([]);
  const headers = answers.flatMap((answer) => Object.entries(answer.headers));
  expect(
    headers.flatMap(([name, { schema, example }]) =>
      misfits(document, schema, example).map((fault) => `${name}: ${fault}`),
    ),
  ).toEqual([]);
});

describe("pictures", () => {
  test("are asked for by a whole number of pixels and one of two types", () => {
    expect(find("GET /api/skin/head/{uuid}").parameters).toMatchObject([
      { name: "uuid", in: "path", required: true, schema: { type: "string" } },
      {
        name: "size",
        in: "query",
        required: false,
        schema: { type: "integer", minimum: 8, maximum: 1024, default: 100 },
      },
      { name: "type", in: "query", schema: { type: "string", enum: ["skin", "player"], default: "skin" } },
      { name: "default", in: "query", schema: { type: "string", const: "none" } },
    ]);
  });

  test("are asked for with nothing filled in that narrows what is found", () => {
    const { parameters = [] } = find("GET /api/skin/head/{uuid}");
    const filledIn = parameters.filter(({ example }) => example !== undefined).map(({ name }) => name);
    expect(filledIn).toEqual(["uuid", "size", "type"]);
  });

  test("are answered as PNG, or as unchanged without a body", () => {
    const { responses } = find("GET /api/skin/head/{uuid}");
    expect(responses["200"]).toMatchObject({ content: { "image/png": {} } });
    expect(responses["304"]).not.toHaveProperty("content");
  });
});

test("a list is asked for by whole numbers, and names the next page", () => {
  const { parameters, responses } = find("GET /api/admin/skins");
  expect(parameters).toMatchObject([
    { name: "limit", required: false, schema: { type: "integer", minimum: 1, maximum: 1000, default: 1000 } },
    { name: "after", required: false, schema: { type: "integer", minimum: 0 } },
    { name: "q", required: false, schema: { type: "string", maxLength: 254 } },
    {
      name: "count",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 100_000, default: 100_000 },
    },
    { name: "order", required: false, schema: { enum: ["oldest", "newest"], default: "oldest" } },
  ]);
  expect(responses["200"]).toMatchObject({
    headers: { "X-Total-Count": { required: true }, Link: { schema: { type: "string" } } },
  });
});

test.each([
  ["PATCH /api/admin/user/{identifier}", { username: "Anna_2" }],
  ["PATCH /api/admin/skin/{uuid}", { name: "Diver" }],
])("%s sent as it is shown changes one thing", (request, example) => {
  const { content } = find(request).requestBody ?? {};
  expect(content?.["application/json"]?.example).toEqual(example);
});

test("an id at a social provider is a text or a whole number of 64 bits", () => {
  expect(document.components.schemas["FindUserBody"]).toMatchObject({
    properties: {
      Social_id: {
        anyOf: [{ type: ["string", "null"] }, { type: "integer", format: "int64", minimum: 0 }],
      },
    },
  });
});

test.each([
  ["PATCH /api/admin/skin/{uuid}", "2", "yours is 1"],
  ["DELETE /api/admin/user/{identifier}", "3", "yours is 2"],
])("%s names the level that it needs", (request, level, yours) => {
  const { responses } = find(request);
  const msg = `This needs level ${level} (1 player, 2 moderator, 3 administrator); ${yours}`;
  expect(responses["403"]).toMatchObject({ content: { "application/json": { example: { msg } } } });
});

test("what answers with a page fails with a page", () => {
  const { responses } = find("POST /mail/unsubscribe/{token}");
  const types = Object.values(responses).map((answer) =>
    Object.keys(resolve<ResponseObject>(document, answer).content ?? {}),
  );
  expect(Object.keys(responses)).toEqual(["200", "400", "404", "413", "429", "500", "503", "507"]);
  expect(types).toEqual(Object.keys(responses).map(() => ["text/html"]));
});

test("a cape's upload is a form whose lists and times are texts", () => {
  const { content } = find("POST /api/admin/user/cape/upload").requestBody ?? {};
  expect(content).toMatchObject({
    "multipart/form-data": { encoding: { cape: { contentType: "image/png" } } },
  });
  expect(document.components.schemas["UploadCapeBody"]).toMatchObject({
    required: ["cape", "name"],
    properties: {
      cape: { type: "string", format: "binary", contentMediaType: "image/png" },
      name: { type: "string" },
      owners: { type: "string" },
      expired_at: { type: "string" },
    },
  });
});

test("an upload is a form with a file", () => {
  const { content } = find("POST /api/home/edit/upload").requestBody ?? {};
  expect(Object.keys(content ?? {})).toEqual(["multipart/form-data"]);
  expect(content?.["multipart/form-data"]?.encoding).toEqual({ skin: { contentType: "image/png" } });
  expect(document.components.schemas["UploadSkinBody"]).toMatchObject({
    required: ["skin"],
    properties: {
      skin: { type: "string", format: "binary", contentMediaType: "image/png" },
      slim: { type: "string", enum: ["true", "false"] },
      name: { type: "string" },
    },
  });
});

test("a home edit's failures are shown as they are given: 400 that names the edit", () => {
  const { responses } = find("PATCH /api/home/edit/username");
  expect(Object.keys(responses)).toEqual(["200", "400", "401", "403", "408", "429", "500", "503", "507"]);
  expect(responses["400"]).toMatchObject({
    content: { "application/json": { example: { msg: "Username change failed: username: must be a text" } } },
  });
});
