/* Requests made from the API's document: right ones, almost right ones and wild ones, by everybody. */
import * as fc from "fast-check";
import { bombPng, lyingPng, pngOfLength } from "../support/hostile-pngs.ts";
import { resolve, type JsonSchema, type OpenApiDocument, type Operation } from "../support/openapi.ts";
import { capePng, skinPng } from "../support/textures.ts";
import { fittingValue, hostileValue, strangeValue, type Late } from "./values.ts";
import type { ActorKind } from "./world.ts";

/** A request that is settled when it is made. */
export type Planned = {
  readonly actor: ActorKind;
  readonly method: string;
  readonly path: Late<string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Late<Body | null>;
};
export type Body = {
  readonly type: string | null;
  readonly content: string | Uint8Array<ArrayBuffer> | FormData;
};

/**
 * How far a request is from what the document asks for. A hostile one is right, but for what its texts hold.
 */
type Manner = "right" | "almost" | "wild" | "hostile";

/** Requests whose texts are chosen to show how two engines differ. */
export function hostileRequest(
  document: OpenApiDocument,
  operations: readonly Operation[],
): fc.Arbitrary<Planned> {
  const hostile = operations.map((operation) =>
    requestIn(document, operation, { address: "hostile", body: "hostile" }),
  );
  return fc.oneof(...hostile);
}

export function plannedRequest(
  document: OpenApiDocument,
  operations: readonly Operation[],
): fc.Arbitrary<Planned> {
  const known = operations.map((operation) => ({ weight: 1, arbitrary: requestTo(document, operation) }));
  return fc.oneof(...known, { weight: 1, arbitrary: requestToNowhere(operations) });
}

function requestTo(document: OpenApiDocument, operation: Operation): fc.Arbitrary<Planned> {
  const manners = fc.oneof(
    { weight: 5, arbitrary: fc.constant("right") },
    { weight: 4, arbitrary: fc.constant("almost") },
    { weight: 1, arbitrary: fc.constant("wild") },
  ) as fc.Arbitrary<Manner>;
  return fc.tuple(manners, fc.boolean()).chain(([manner, inAddress]) => {
    const hasBody = operation.operation.requestBody !== undefined;
    // Only one of the two is wrong, or the second fault would never be looked at.
    const ofBody = hasBody && !inAddress;
    return requestIn(document, operation, {
      address: ofBody ? "right" : manner,
      body: ofBody ? manner : "right",
    });
  });
}

function requestIn(
  document: OpenApiDocument,
  operation: Operation,
  { address, body }: { readonly address: Manner; readonly body: Manner },
): fc.Arbitrary<Planned> {
  return fc.record({
    actor: actorFor(operation),
    method: fc.constant(operation.method),
    path: addressOf(operation, address),
    headers: extraHeaders,
    body: bodyOf(document, operation, body),
  });
}

/** Mostly who may, sometimes everybody else. */
function actorFor({ operation }: Operation): fc.Arbitrary<ActorKind> {
  const isForServices = JSON.stringify(operation.security ?? []).includes("ervice");
  const weighted: readonly (readonly [ActorKind, number])[] = [
    ["stranger", 2],
    ["forger", 1],
    ["unfinished", 1],
    ["player", 5],
    ["moderator", 3],
    ["administrator", 6],
    ["service", isForServices ? 30 : 1],
  ];
  return fc.oneof(...weighted.map(([actor, weight]) => ({ weight, arbitrary: fc.constant(actor) })));
}

function requestToNowhere(operations: readonly Operation[]): fc.Arbitrary<Planned> {
  const paths = fc.oneof(
    fc.constantFrom(...operations.map(({ path }) => path.replaceAll(/\{\w+\}/g, "1"))),
    fc.webPath().filter((path) => /^\/(?!\/)/.test(path)),
    fc.string({ unit: "binary", maxLength: 20 }).map((text) => `/api/${encode(text)}`),
    fc.constantFrom(
      "/%",
      "/api/%ff",
      "/api//home",
      "/api/home/%2e%2e",
      "/swagger/x",
      "/textures/..%2f..%2fx",
    ),
  );
  return fc.record({
    actor: fc.constantFrom<ActorKind>("stranger", "player", "administrator"),
    method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
    path: paths.map(
      (path): Late<string> =>
        () =>
          path,
    ),
    headers: fc.constant({}),
    body: fc.constant(() => null),
  });
}

const extraHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("*", '"x"', 'W/"x", "y"', ",").map((tag) => ({ "if-none-match": tag })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("ru", "*;q=0", "de-DE, ;q=x").map((tag) => ({ "accept-language": tag })),
  },
);

function addressOf({ path, operation }: Operation, manner: Manner): fc.Arbitrary<Late<string>> {
  const parameters = operation.parameters ?? [];
  const values = parameters.map(({ name, schema, required, in: place }) => {
    const value = valueIn(manner, name, schema);
    const texts = value.map(
      (late): Late<string> =>
        (known) =>
          textOf(late(known)),
    );
    const present = required ? fc.constant(true) : fc.boolean();
    return fc.record({ name: fc.constant(name), place: fc.constant(place), text: texts, present });
  });
  const wildTail =
    manner === "wild"
      ? fc.constantFrom("", "?", "?size", "?size=8&size=9", "?%", "?a[]=1&%ff=%ff")
      : fc.constant("");
  return fc.tuple(fc.tuple(...values), wildTail).map(([settled, tail]): Late<string> => (known) => {
    const inPath = settled.filter(({ place }) => place === "path");
    const query = settled
      .filter(({ place, present }) => place === "query" && present)
      .map(({ name, text }) => `${name}=${encode(text(known))}`);
    const filled = inPath.reduce(
      (at, { name, text }) => at.replace(`{${name}}`, () => encode(text(known)) || "-"),
      path,
    );
    return tail === "" && query.length > 0 ? `${filled}?${query.join("&")}` : filled + tail;
  });
}

function valueIn(manner: Manner, name: string, schema: JsonSchema): fc.Arbitrary<Late> {
  const right = fittingValue(name, schema);
  if (manner === "hostile") return hostileValue(name, schema);
  return manner === "right" ? right : fc.oneof(right, strangeValue(name, schema));
}

function bodyOf(
  document: OpenApiDocument,
  { operation }: Operation,
  manner: Manner,
): fc.Arbitrary<Late<Body | null>> {
  const [media] = Object.entries(operation.requestBody?.content ?? {});
  if (media === undefined) return fc.constant(() => null);
  const [type, { schema }] = media;
  if (manner === "wild") return wildBody;
  const object = objectOf(resolve<JsonSchema>(document, schema ?? {}), manner);
  const pack = type === "application/json" ? packJson : packForm;
  const types =
    manner === "right" || manner === "hostile"
      ? fc.constant(type)
      : fc.oneof(
          { weight: 9, arbitrary: fc.constant(type) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              "text/plain",
              "application/json",
              "application/x-www-form-urlencoded",
              "multipart/form-data; boundary=x",
            ),
          },
        );
  return fc.tuple(object, types).map(
    ([late, chosen]): Late<Body> =>
      (known) =>
        pack(late(known), chosen),
  );
}

type Fields = readonly (readonly [string, unknown])[];

function objectOf(schema: JsonSchema, manner: Manner): fc.Arbitrary<Late<Fields>> {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const fields = properties.map(([name, property]) => {
    const present = required.has(name) ? fc.constant(true) : fc.boolean();
    const isFile = property["format"] === "binary";
    const right = isFile ? fileValue : valueIn(manner === "hostile" ? manner : "right", name, property);
    const strange = fc.oneof(
      strangeValue(name, property),
      isFile ? badFileValue : strangeValue(name, property),
    );
    return fc.record({ name: fc.constant(name), present, right, strange });
  });
  const broken =
    manner === "right" || manner === "hostile" ? fc.constant(-1) : fc.nat({ max: properties.length });
  const extra = fc.constantFrom("extra", "constructor", "__proto__", "", "id");
  return fc
    .tuple(fc.tuple(...fields), broken, extra, fc.boolean())
    .map(([settled, at, other, leaveOut]): Late<Fields> => (known) => {
      const sent = settled.flatMap(({ name, present, right, strange }, number): Fields => {
        if (number === at) return leaveOut ? [] : [[name, strange(known)]];
        return present ? [[name, right(known)]] : [];
      });
      return at === settled.length ? [...sent, [other, 1]] : sent;
    });
}

const fileValue: fc.Arbitrary<Late> = fc
  .constantFrom(
    skinPng(1),
    skinPng(2),
    skinPng(3, { height: 32 }),
    skinPng(4, { width: 128 }),
    capePng(1),
    capePng(2),
  )
  .map(
    (file): Late =>
      () =>
        file,
  );

const badFileValue: fc.Arbitrary<Late> = fc.oneof(
  fc
    .constantFrom(
      bombPng(2),
      lyingPng(128, 128),
      lyingPng(60_000, 60_000),
      pngOfLength(1_048_577),
      new Uint8Array(),
    )
    .map(
      (file): Late =>
        () =>
          file,
    ),
  fc.uint8Array({ maxLength: 200 }).map(
    (bytes): Late =>
      () =>
        bytes,
  ),
  fc.record({ at: fc.nat(), value: fc.nat(255) }).map(({ at, value }): Late => () => {
    const file = skinPng(1);
    file[at % file.length] = value;
    return file;
  }),
);

const wildBody: fc.Arbitrary<Late<Body>> = fc
  .record({
    type: fc.constantFrom(
      "application/json",
      "application/json; charset=utf-16",
      "multipart/form-data; boundary=x",
      "multipart/form-data",
      "text/html",
      null,
    ),
    content: fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.constantFrom(...wildTexts()),
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
    ),
  })
  .map(
    (body): Late<Body> =>
      () =>
        body,
  );

function wildTexts(): readonly string[] {
  return [
    "",
    "{",
    '{"username":1e999,"password":-0}',
    '{"username":"a","username":"b","password":"c"}',
    '{"__proto__":{"level":3},"constructor":1}',
    `${"[".repeat(5000)}${"]".repeat(5000)}`,
    `{"mail":"${"x".repeat(600_000)}"}`,
    '--x\r\nContent-Disposition: form-data; name="skin"\r\n\r\nx\r\n--x--\r\n',
    '--x\r\nContent-Disposition: form-data; name="skin"; filename="a"\r\n\r\n',
  ];
}

function packJson(fields: Fields, type: string): Body {
  const texts = fields.map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)}`);
  return { type, content: `{${texts.join(",")}}` };
}

/** Integers beyond a double's as they are; bytes as a text. */
function jsonOf(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint8Array) return JSON.stringify(value.toBase64());
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? Number(inner) : inner)) ?? "null";
}

function packForm(fields: Fields, type: string): Body {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (value instanceof Uint8Array) form.append(name, new File([new Uint8Array(value)], "texture.png"));
    else form.append(name, textOf(value));
  }
  // The form names its boundary itself.
  return { type: type === "multipart/form-data" ? null : type, content: form };
}

function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? jsonOf(value) : String(value);
}

/**
 * As part of an address. Halves of surrogate pairs, which cannot be written there, become bytes that are no
 * text.
 */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%ed%a0%80";
}
