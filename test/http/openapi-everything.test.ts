/** The document with every protocol and every setting on, which is what generators of clients are given. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openProtocols, type ProtocolWorld } from "../protocols/protocol-world.ts";
import { allOperationsOf, readDocument, schemasOf, type OpenApiDocument } from "../support/openapi.ts";

let world: ProtocolWorld;
let document: OpenApiDocument;
beforeAll(async () => {
  world = await openProtocols();
  document = await readDocument(world.harness);
});
afterAll(() => world[Symbol.asyncDispose]());

test("has the launch servers' addresses, whose settings are there", () => {
  const paths = Object.keys(document.paths);
  expect(paths).toContain("/api/aurora/{secret}/join");
  expect(paths).toContain("/api/gravit/upload/skin");
});

test("every operation declares the parameters of its path, and no other", () => {
  const faults = allOperationsOf(document).flatMap(({ method, path, operation: { parameters = [] } }) => {
    const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const declared = parameters.filter((one) => one.in === "path");
    const fits = declared.length === inPath.size && declared.every(({ name }) => inPath.has(name));
    const isRequired = declared.every(({ required }) => required);
    return fits && isRequired ? [] : [`${method} ${path}`];
  });
  expect(faults).toEqual([]);
});

describe("a schema", () => {
  test("says by a second type that it may be null, beside a reference by oneOf", () => {
    const faults = schemasOf(document).filter(({ at, schema: { type, anyOf, oneOf } }) => {
      const isAlone = type === "null" && !at.endsWith("/oneOf/1");
      const inAnyOf = JSON.stringify(anyOf ?? []).includes('{"type":"null"}');
      const isPair = oneOf === undefined || Object.keys((oneOf as readonly object[])[0] ?? {})[0] === "$ref";
      return isAlone || inAnyOf || !isPair;
    });
    expect(faults.map(({ at }) => at)).toEqual([]);
  });

  test("is no list beside an object, which some languages have no type for", () => {
    const faults = schemasOf(document).filter(({ schema: { anyOf } }) => {
      const members = (anyOf ?? []) as readonly { readonly type?: unknown }[];
      const types = new Set(members.map(({ type }) => type));
      return types.has("array") && types.has("object");
    });
    expect(faults.map(({ at }) => at)).toEqual([]);
  });

  test("of a UUID has a format or a pattern", () => {
    const isId = /^(?:id|.*_id|.*_?uuid|userUUID|profileId)$/i;
    // Ids at social providers are texts of theirs.
    const foreign = /Social|FoundUser|UnlinkedPerson/;
    const properties = schemasOf(document).filter(({ at, schema }) => {
      const name = /\/properties\/(\w+)$/.exec(at)?.[1] ?? "";
      return isId.test(name) && !foreign.test(at) && [schema["type"]].flat()[0] === "string";
    });
    expect(properties.length).toBeGreaterThan(30);
    const bare = properties.filter(({ schema }) => !("format" in schema) && !("pattern" in schema));
    expect(bare.map(({ at }) => at)).toEqual([]);
  });
});

test("every body and every answer of JSON has a name, those of protocols, too", () => {
  const nameless = allOperationsOf(document).flatMap(({ method, path, operation }) => {
    const contents = [
      ["body", operation.requestBody?.content] as const,
      ...Object.entries(operation.responses).map(
        ([status, answer]) => [status, "content" in answer ? answer.content : undefined] as const,
      ),
    ];
    return contents
      .filter(([, content]) => content?.["application/json"] !== undefined)
      .filter(([, content]) => content?.["application/json"]?.schema?.["$ref"] === undefined)
      .map(([where]) => `${method} ${path} ${where}`);
  });
  expect(nameless).toEqual([]);
});
