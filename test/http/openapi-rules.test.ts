/**
 * What programs that are made from the document need: names for everything, and no words that generators
 * stumble over.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSchemaWriter } from "../../src/http/openapi/json-schema.ts";
import { shapesOf } from "../../src/http/openapi/shapes.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import {
  operationsOf,
  readDocument,
  resolve,
  schemasOf,
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type ResponseObject,
} from "../support/openapi.ts";

let harness: Harness;
let document: OpenApiDocument;
let operations: readonly Operation[];
beforeAll(async () => {
  harness = await openHarness();
  document = await readDocument(harness);
  operations = operationsOf(document);
});
afterAll(() => harness[Symbol.asyncDispose]());

/** Where the document has a schema that is so. */
function where(isSo: (schema: JsonSchema) => boolean): readonly string[] {
  return schemasOf(document)
    .filter(({ schema }) => isSo(schema))
    .map(({ at }) => at);
}

/** The answers of all operations, with where they are given. */
function answers() {
  return operations.flatMap(({ method, path, operation }) =>
    Object.entries(operation.responses).map(([status, answer]) => ({
      at: `${method} ${path} ${status}`,
      content: resolve<ResponseObject>(document, answer).content ?? {},
    })),
  );
}

/** The name of what a schema refers to; nothing where it says all by itself. */
function nameOf(schema: unknown): string | undefined {
  const { $ref } = (schema ?? {}) as { readonly $ref?: string };
  return $ref?.replace("#/components/schemas/", "");
}

/** Whether 32 bits hold every value. */
function isBounded({ enum: values, const: value, maximum = Infinity }: JsonSchema): boolean {
  return values !== undefined || value !== undefined || Number(maximum) < 2 ** 31;
}

function isEnvelope(schema: JsonSchema | undefined): boolean {
  const { error, msg, url, data } = (schema?.["properties"] ?? {}) as Record<string, JsonSchema>;
  const isEmpty = data?.["type"] === "object" && Object.keys(data["properties"] ?? {}).length === 0;
  const [orNull] = (data?.["oneOf"] ?? []) as readonly JsonSchema[];
  const inner = data?.["properties"] as Record<string, unknown> | undefined;
  const held = orNull ?? data?.["items"] ?? inner?.["user"] ?? inner?.["suspended"] ?? data;
  return Boolean(error && msg && url) && (isEmpty || nameOf(held) !== undefined);
}

/** The answers of a media type. */
function answersOf(type: string) {
  return answers().filter(({ content }) => type in content);
}

describe("a schema", () => {
  test("has one type, and null beside it where that may be; several things are anyOf", () => {
    const lists = schemasOf(document).filter(({ schema }) => Array.isArray(schema["type"]));
    expect(lists.length).toBeGreaterThan(10);
    expect(
      lists.filter(({ schema: { type } }) => {
        const [one, orNull, ...more] = type as readonly unknown[];
        return typeof one !== "string" || orNull !== "null" || more.length > 0;
      }),
    ).toEqual([]);
    const united = schemasOf(document).map(({ schema }) => schema["anyOf"]);
    expect(united.filter((members) => JSON.stringify(members)?.includes('{"type":"null"}'))).toEqual([]);
  });

  test("is null alone only beside the name of another one", () => {
    const pairs = schemasOf(document).filter(({ schema }) => schema["oneOf"] !== undefined);
    for (const { schema } of pairs)
      expect(schema["oneOf"]).toEqual([{ $ref: expect.any(String) }, { type: "null" }]);
    expect(where(({ type }) => type === "null").length).toBe(pairs.length);
  });

  test("calls whole numbers integers, and there are no others", () => {
    expect(where(({ type }) => type === "number")).toEqual([]);
    expect(where(({ type }) => type === "integer").length).toBeGreaterThan(50);
  });

  test("of an integer says whether 32 bits hold it", () => {
    const integers = schemasOf(document).filter(
      ({ at, schema }) => schema["type"] === "integer" && !at.includes("/headers/"),
    );
    const wide = integers.filter(({ schema }) => schema["format"] === "int64");
    expect(wide).toEqual(integers.filter(({ schema }) => !isBounded(schema)));
    expect(wide.map(({ at }) => at)).toContain("/components/schemas/SocialMeta/properties/conn_id");
  });

  test("has patterns that every language knows: no looking around, no properties of Unicode", () => {
    const patterns = schemasOf(document).flatMap(({ schema: { pattern } }) =>
      typeof pattern === "string" ? [pattern] : [],
    );
    expect(patterns.length).toBeGreaterThan(20);
    expect(patterns.filter((pattern) => /\(\?[=!<]|\\[upPk1-9]/.test(pattern))).toEqual([]);
  });

  test("says nothing in words of our own", () => {
    const ours = ["component", "shape", "rule", "documented"];
    expect(where((schema) => ours.some((word) => word in schema))).toEqual([]);
  });

  test("does not share its name with another one", () => {
    const { write } = createSchemaWriter(shapesOf({ usernamePattern: /^x$/ }));
    const skin = { component: "Skin", type: "object", properties: { id: { type: "string" } } };
    expect(write(skin).schema).toEqual(write({ ...skin }).schema);
    expect(() => write({ ...skin, properties: {} })).toThrow("Two schemas are called Skin");
  });
});

describe("a named schema", () => {
  test.each([
    "AuditEntry",
    "Cape",
    "CapeGrants",
    "Envelope",
    "Failure",
    "FoundUser",
    "HomeProfile",
    "LauncherTextures",
    "ListedCape",
    "ListedSkin",
    "RoleAssignment",
    "Session",
    "Skin",
    "SocialAccount",
    "SocialMeta",
    "Token",
    "User",
    "UserDetail",
  ])("is there for the contract's resource: %s", (name) => {
    expect(Object.keys(document.components.schemas)).toContain(name);
  });

  test("is used", () => {
    const used = new Set(schemasOf(document).map(({ schema }) => nameOf(schema)));
    used.add(nameOf(document["x-errors"].code));
    expect(Object.keys(document.components.schemas).filter((name) => !used.has(name))).toEqual([]);
  });

  test("is what every body and every answer of JSON refers to", () => {
    const bodies = operations.flatMap(({ method, path, operation: { requestBody } }) =>
      requestBody === undefined ? [] : [{ at: `${method} ${path}`, content: requestBody.content }],
    );
    const nameless = [...bodies, ...answers()].flatMap(({ at, content }) =>
      Object.entries(content)
        .filter(([type]) => type === "application/json" || type === "multipart/form-data")
        .filter(([, { schema }]) => nameOf(schema) === undefined)
        .map(([type]) => `${at} ${type}`),
    );
    expect(nameless).toEqual([]);
  });

  test("is an envelope around what has a name, wherever the contract has one", () => {
    const bare = ["FoundUser", "LauncherTextures", "MailsQueued"];
    const envelopes = new Set(answers().map(({ content }) => nameOf(content["application/json"]?.schema)));
    for (const name of [undefined, ...bare]) envelopes.delete(name);
    const faults = [...envelopes].filter((name) => !isEnvelope(document.components.schemas[name ?? ""]));
    expect(envelopes.size).toBeGreaterThan(10);
    expect(faults).toEqual([]);
  });
});

describe("an operation", () => {
  test.each([
    ["POST /api/auth/login", "signIn"],
    ["POST /api/auth/register", "register"],
    ["GET /api/home", "getHomeProfile"],
    ["POST /api/home/edit/upload", "uploadSkin"],
    ["POST /api/home/edit/skin/select", "selectSkin"],
    ["GET /api/skin/head/{uuid}", "getHeadPicture"],
    ["GET /api/admin/users", "listUsers"],
    ["DELETE /api/admin/user/{identifier}", "deleteUser"],
  ])("is called as people would: %s is %s", (request, name) => {
    const found = operations.find(({ method, path }) => `${method} ${path}` === request);
    expect(found?.operation.operationId).toBe(name);
  });

  test("has a name of its own, which was chosen and not made from its address", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.filter((name) => !/^[a-z]+(?:[A-Z][a-z]+)*$/.test(name))).toEqual([]);
    const made = operations.filter(({ path, operation: { operationId } }) =>
      operationId.toLowerCase().includes(path.replaceAll(/\{\w+\}|\//g, "").toLowerCase()),
    );
    expect(made.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  test("names no type that generators make for another", () => {
    const capitalised = operations.map(
      ({ operation: { operationId: id } }) => `${id[0]?.toUpperCase()}${id.slice(1)}`,
    );
    const ends = ["Response", "Params", "JSONRequestBody"];
    const made = new Set(capitalised.flatMap((id) => ends.map((end) => `${id}${end}`)));
    expect(Object.keys(document.components.schemas).filter((name) => made.has(name))).toEqual([]);
  });
});

describe("what is no JSON", () => {
  test("is a picture of bytes, which programs that know no pictures read as well", () => {
    const pictures = answersOf("image/png");
    expect(pictures.length).toBeGreaterThan(5);
    for (const { content } of pictures) {
      expect(Object.keys(content)).toEqual(["image/png", "application/octet-stream"]);
      expect(content["image/png"]?.schema).toEqual({ type: "string", format: "binary" });
      expect(content["application/octet-stream"]?.schema).toMatchObject({ type: "string", format: "binary" });
    }
  });

  test("is a page of text", () => {
    const pages = answersOf("text/html");
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.filter(({ content }) => content["text/html"]?.schema?.["type"] !== "string")).toEqual([]);
  });
});
