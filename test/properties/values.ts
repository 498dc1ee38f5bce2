/* Values for the fields of a schema: what fits, what almost fits, and anything. */
import * as fc from "fast-check";
import type { JsonSchema } from "../support/openapi.ts";

/** A value that is settled only when the request is made, for what it names must be there then. */
export type Late<Value = unknown> = (known: (field: string) => readonly unknown[]) => Value;

/** What a member of the community would send. */
export function fittingValue(field: string, schema: JsonSchema): fc.Arbitrary<Late> {
  return fc.tuple(fc.nat({ max: 997 }), fromSchema(schema)).map(([at, made]) => (known) => {
    const values = known(field);
    return values.length === 0 ? made : values[at % values.length];
  });
}

/** Beside what is asked for: one step over a limit, another type, another spelling. */
export function strangeValue(field: string, schema: JsonSchema): fc.Arbitrary<Late> {
  const respelled = fc.tuple(fittingValue(field, schema), fc.constantFrom(...respellings)).map(
    ([value, respell]): Late =>
      (known) =>
        respell(value(known)),
  );
  return fc.oneof(
    respelled,
    fc.constantFrom(...strangers).map(
      (value): Late =>
        () =>
          value,
    ),
    fc.jsonValue({ maxDepth: 3 }).map(
      (value): Late =>
        () =>
          value,
    ),
    fc.string({ unit: "binary", maxLength: 20 }).map(
      (value): Late =>
        () =>
          value,
    ),
  );
}

const respellings: readonly ((value: unknown) => unknown)[] = [
  (value) => String(value).toUpperCase(),
  (value) => String(value).replaceAll("-", ""),
  (value) => ` ${String(value)}\n`,
  (value) => String(value).slice(1),
  (value) => String(value).repeat(9),
  (value) => [value],
  (value) => ({ value }),
  (value) => (typeof value === "number" ? String(value) : Number(value)),
  (value) => (typeof value === "number" ? -value : null),
];

const strangers: readonly unknown[] = [
  null,
  true,
  false,
  "",
  " ",
  "0",
  "00",
  "-1",
  "1e2",
  "true",
  "null",
  "undefined",
  0,
  -0,
  -1,
  0.5,
  1e21,
  4_294_967_296,
  9_007_199_254_740_991,
  9_007_199_254_740_992,
  9_223_372_036_854_775_807n,
  [],
  [[]],
  {},
  "x".repeat(65),
  "x".repeat(300),
  "x".repeat(5000),
  "\u0000",
  "a\u0000b",
  "\ud800",
  "e\u0301".repeat(40),
  "\u202eabc",
  "👩‍👩‍👧‍👦".repeat(20),
  "Ａlice",
  "аlice",
  "..",
  "../../etc/passwd",
  "%00",
  "%2e%2e%2f",
  "' OR 1=1 --",
  '") OR 1=1 --',
  "* NOT NEAR(",
  '"',
  "${7*7}",
  "<script>alert(1)</script>",
  "toString",
  "__proto__",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "a@b",
  "a@example.org\r\nBcc: b@example.org",
  "ä@exämple.org",
  `${"a".repeat(250)}@example.org`,
  "2099-02-30T00:00:00Z",
  "2110-01-01",
  "+275760-09-13T00:00:00Z",
  "99999999999999999999",
];

/** By the schema alone. Texts are its examples where it has some. */
function fromSchema(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { anyOf, enum: choices, examples, type } = schema;
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(choices)) return fc.constantFrom(...choices);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(fromSchema));
  if (Array.isArray(examples)) return fc.constantFrom(...examples);
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => fromSchema({ type: one })));
  return plainValue(schema);
}

function plainValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { minimum, maximum, items } = schema;
  const bounds = {
    ...(typeof minimum === "number" ? { min: minimum } : {}),
    ...(typeof maximum === "number" ? { max: Math.min(maximum, 2 ** 31 - 1) } : {}),
  };
  switch (schema["type"]) {
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return fc.integer(bounds);
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(fromSchema((items ?? {}) as JsonSchema), { maxLength: 3 });
    case "object":
      return fc.constant({});
    default:
      return fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
  }
}

/** Texts that two engines could take for different ones, or for one. */
const hostileTexts: readonly string[] = [
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a\udfffb",
  "%",
  "_",
  "\\",
  "%a%",
  "a_b",
  "\\%",
  "\\\\_",
  "'",
  '"',
  "a'b\"c`d",
  "--",
  "$1",
  "{1,2}",
  "x".repeat(10_000),
  "%".repeat(10_000),
  "İstanbul",
  "istanbul",
  "ISTANBUL",
  "ıIiİ",
  "I",
  "i",
  "Straße",
  "STRASSE",
  "straẞe",
  "ΣΊΣΥΦΟΣ",
  "σίσυφος",
  "ς",
  "Σ",
  "ǅ",
  "ﬁ",
  "e\u0301",
  "é",
  "Å",
  "\u212b",
  "Ａlice",
  "аlice",
  " a ",
  "a\tb",
  "a\r\nb",
  "\u00a0",
  "\u200b",
  "\u202eabc",
  "\ufeff",
  "👩‍👩‍👧‍👦",
  "9223372036854775808",
  "99999999999999999999",
  "1e400",
  "NaN",
  "Infinity",
  "null",
  "true",
];

/** Where a text is asked for: one of these, mostly. Elsewhere what fits. */
export function hostileValue(field: string, schema: JsonSchema): fc.Arbitrary<Late> {
  if (!takesText(schema)) return fittingValue(field, schema);
  const hostile = fc.constantFrom(...hostileTexts).map(
    (text): Late =>
      () =>
        text,
  );
  return fc.oneof({ weight: 2, arbitrary: hostile }, { weight: 1, arbitrary: fittingValue(field, schema) });
}

function takesText({ type, anyOf }: JsonSchema): boolean {
  return type === "string" || (Array.isArray(anyOf) && anyOf.some(takesText));
}
