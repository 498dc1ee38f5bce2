/**
 * What the document excludes is refused by name, and what it allows is not: its rules are those of the
 * service.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { capeForm } from "../support/capes.ts";
import { openHarness } from "../support/harness.ts";
import { pageHeaders } from "../support/console.ts";
import { addMember, addSkin, uploadForm, type Member } from "../support/members.ts";
import {
  misfits,
  operationsOf,
  readDocument,
  resolve,
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
} from "../support/openapi.ts";
import { longMail } from "../support/registration.ts";
import { openWorld, type World } from "./openapi-world.ts";

let world: World;
let document: OpenApiDocument;
let ownSkin: string;
beforeAll(async () => {
  world = await openWorld();
  document = world.harness.document;
  ownSkin = await addSkin(world.harness, world.chief, {});
});
afterAll(() => world.harness[Symbol.asyncDispose]());

/** Something that a request may hold, and what the document says of it. */
type Field = {
  readonly operation: Operation;
  readonly place: "path" | "query" | "json" | "form";
  /** Where it stands in the body: `meta`, `conn_id`. */
  readonly names: readonly string[];
  readonly schema: JsonSchema;
};

function fieldsOf(operation: Operation): readonly Field[] {
  const { parameters = [], requestBody } = operation.operation;
  const inAddress = parameters.map(({ name, in: place, schema }) => ({
    operation,
    place: place as "path" | "query",
    names: [name],
    schema,
  }));
  const inBody = Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema = {} }]) => {
    const place = type === "application/json" ? ("json" as const) : ("form" as const);
    return propertiesOf(schema).map(({ names, schema: one }) => ({ operation, place, names, schema: one }));
  });
  return [...inAddress, ...inBody].filter(({ schema }) => schema["format"] !== "binary");
}

function propertiesOf(schema: JsonSchema): readonly Pick<Field, "names" | "schema">[] {
  const { properties = {} } = resolve<JsonSchema>(document, schema);
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, property]) => {
    const inner = propertiesOf(property).map((one) => ({ ...one, names: [name, ...one.names] }));
    return inner.length === 0 ? [{ names: [name], schema: property }] : inner;
  });
}

/** Values at every bound of a schema and around it, and what no field takes for nothing. */
function candidates(field: Pick<Field, "names" | "schema">): readonly unknown[] {
  const {
    anyOf = [],
    items,
    ...schema
  } = field.schema as JsonSchema & {
    readonly anyOf?: readonly JsonSchema[];
    readonly items?: JsonSchema;
  };
  const inner = anyOf.flatMap((one) => candidates({ ...field, schema: one }));
  const listed = items === undefined ? [] : candidates({ ...field, schema: items }).map((one) => [one]);
  const { minLength, maxLength, minimum, maximum } = schema as Readonly<Record<string, number | undefined>>;
  const lengths = [...around(minLength), ...around(maxLength)].filter((length) => length >= 0);
  const numbers = [...around(minimum), ...around(maximum)];
  return [...inner, ...listed, ...lengths.map((length) => textOf(field, length)), ...numbers, ...odd];
}

function around(bound: number | undefined): readonly number[] {
  return bound === undefined ? [] : [bound - 1, bound, bound + 1];
}

const odd: readonly unknown[] = [
  "",
  " ",
  "\0",
  "a\u0007b",
  "no such thing!",
  "%",
  "<b>",
  1.5,
  true,
  null,
  [],
  {},
];

function textOf({ names, schema }: Pick<Field, "names" | "schema">, length: number): string {
  const isMail = schema["format"] === "email" || names.includes("identifier");
  return isMail && length > 200 ? longMail(length) : "q7-X".repeat(length).slice(0, length);
}

/** Sends the operation with one field changed and everything else as it should be. */
async function sendWith(field: Field, value: unknown): Promise<Response> {
  const { operation, place, names } = field;
  const actor = await actorFor(operation);
  const [name = ""] = names;
  const given = (parameter: string) =>
    place === "path" && parameter === name ? String(value) : idFor(operation);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(given(parameter)),
  );
  const query = place === "query" ? `?${new URLSearchParams({ [name]: String(value) }).toString()}` : "";
  const { authorization } = actor;
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(place === "form" ? {} : { "content-type": "application/json" }),
    ...pageHeaders(path),
  };
  const body = bodyFor(field, value, actor);
  return world.harness.fetch(`${path}${query}`, {
    method: operation.method,
    headers,
    ...(operation.method === "GET" ? {} : { body }),
  });
}

async function actorFor({ path, operation: { security = [] } }: Operation): Promise<Partial<Member>> {
  if (security.length === 0) return {};
  if (security.some((scheme) => "serviceToken" in scheme)) return world.service;
  // Once each.
  const finishes = path === "/api/home/registerfinish";
  if (!finishes && path !== "/api/home/edit/password") return world.chief;
  newcomers++;
  return addMember(world.harness, `newcomer${newcomers}`, { finished: !finishes });
}

let newcomers = 0;

/** Of what the operation is about. */
function idFor({ path }: Operation): string {
  if (path.includes("hash")) return world.skinHash;
  if (path.includes("/public/cape/") || path.includes("cloak")) return world.cape.uuid;
  if (path.includes("standart")) return world.alice.uuid;
  if (path.includes("public")) return world.skin;
  // Not the skin that Alice wears with a cape.
  return path.includes("/admin/skin/{uuid}") ? world.hdSkin : world.bare.uuid;
}

function bodyFor(
  { operation, place, names }: Field,
  value: unknown,
  actor: Partial<Member>,
): string | FormData {
  if (place === "form") {
    const form = operation.path.includes("cape") ? capeForm() : uploadForm({ name: "Diver" });
    form.set(names[0] ?? "", String(value));
    return form;
  }
  const { schema = {}, example } = operation.operation.requestBody?.content["application/json"] ?? {};
  const { required = [] } = resolve<{ readonly required?: readonly string[] }>(document, schema);
  const whole = Object.entries(structuredClone(example ?? {}));
  const needed = whole.filter(([name]) => required.includes(name));
  // Where nothing is needed, something is.
  const body: Record<string, unknown> = Object.fromEntries(
    place === "json" || needed.length > 0 ? needed : whole,
  );
  // Members send their password with a change, and staff name the user twice.
  if (operation.path.startsWith("/api/home/") && "password" in body) body["password"] = actor.password;
  if ("user" in body) body["user"] = world.bare.account.id;
  if ("skinid" in body) body["skinid"] = ownSkin;
  if (place === "json") put(body, names, value);
  return JSON.stringify(body);
}

function put(body: Record<string, unknown>, [name = "", ...within]: readonly string[], value: unknown): void {
  if (within.length === 0) body[name] = value;
  else put((body[name] ??= {}) as Record<string, unknown>, within, value);
}

/**
 * What can be written in this place at all: addresses and forms have texts alone, and a path has no empty
 * part.
 */
function isWritable({ place, schema }: Field, value: unknown): boolean {
  if (place === "json") return true;
  const isNumber = schema["type"] === "integer" && typeof value === "number";
  return isNumber || (typeof value === "string" && (place !== "path" || value !== ""));
}

async function messageOf(response: Response): Promise<string> {
  if (response.ok || !response.headers.get("content-type")?.startsWith("application/json")) return "";
  return ((await response.json()) as { readonly msg: string }).msg;
}

/** Values of the field, parted by whether the document allows them, with what is answered to each. */
async function ask(field: Field) {
  const values = [...new Set(candidates(field))].filter((value) => isWritable(field, value));
  const fits = (value: unknown) => misfits(document, field.schema, value).length === 0;
  const answered = async (value: unknown) => {
    const response = await sendWith(field, value);
    return { value, status: response.status, msg: await messageOf(response) };
  };
  const refused = [];
  for (const value of values.filter((one) => !fits(one))) refused.push(await answered(value));
  const allowed = [];
  for (const value of values.filter(fits)) allowed.push(await answered(value));
  return { refused, allowed };
}

/** Refusals of sound values: unknown, used already, or in conflict with another value. */
const otherReasons = [
  /is not your current password|is wrong, was used or has expired|must lie in the future/,
  /of the user in the address|there is no cape|holds no skin|you own no cape|must be false, for the skin's file/,
  /do not belong together|not what this browser began with|No social provider|Internal error|This sign-in has expired/,
  /body: must hold Social_id or Playername|body: must hold at least one of name, skinid, cloakid/,
  // Whether a short text is a whole name is known once it was looked for.
  /q: must have 3 characters or more/,
  // Something must be to be seen, which a pattern cannot say of so long a text in linear time.
  /message: must have 1 to 20000 characters/,
  // Its list is written in several ways.
  /owners: /,
];

/** The validator's words for its own schemas, from which no client learns what to send. */
const validatorWords = /\bexpected\b|\bunion\b/i;

test("a player's name is what the operator's pattern says", async () => {
  await using own = await openHarness({ settings: { USERNAME_PATTERN: "^[a-z]{4,8}$" } });
  const { components } = await readDocument(own);
  for (const body of ["FinishRegistrationBody", "ChangeUsernameBody", "UpdateUserBody"]) {
    expect(components.schemas[body]).toMatchObject({ properties: { username: { pattern: "^[a-z]{4,8}$" } } });
  }
});

test("an operator's pattern that not every language reads is left out", async () => {
  await using own = await openHarness({ settings: { USERNAME_PATTERN: "^\\p{L}{4,8}$" } });
  const { components } = await readDocument(own);
  const body = components.schemas["ChangeUsernameBody"];
  expect(body).toMatchObject({ properties: { username: { type: "string", maxLength: 64 } } });
  expect(body).not.toHaveProperty("properties.username.pattern");
});

test("whatever the document excludes is refused, and the message names the field; what it allows is not", async () => {
  const fields = operationsOf(document)
    // The set-up needs a server without an administrator: test/console/setup.test.ts.
    .filter(({ path }) => !path.startsWith("/mail/") && path !== "/console/setup")
    .flatMap(fieldsOf);
  const faults: string[] = [];
  let count = 0;
  for (const field of fields) {
    const { refused, allowed } = await ask(field);
    count += refused.length + allowed.length;
    const where = `${field.operation.method} ${field.operation.path} ${field.names.join(".")}`;
    for (const { value, status, msg } of refused) {
      if (status === 400 && msg.includes(field.names[0] ?? "") && !validatorWords.test(msg)) continue;
      faults.push(`${where} takes ${JSON.stringify(value)?.slice(0, 40)}: ${status} ${msg}`);
    }
    for (const { value, status, msg } of allowed) {
      if (status !== 400 || otherReasons.some((reason) => reason.test(msg))) continue;
      faults.push(`${where} refuses ${JSON.stringify(value)?.slice(0, 40)}: ${status} ${msg}`);
    }
  }
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(500);
}, 60_000);

test("a body that lacks what it needs, or is of another kind, is refused in words of ours", async () => {
  const operations = operationsOf(document).filter(
    ({ method, path, operation }) =>
      // A removal needs no body, and the other tests need what it removes.
      method !== "DELETE" &&
      path !== "/console/setup" &&
      operation.requestBody?.content["application/json"] !== undefined,
  );
  const faults: string[] = [];
  for (const operation of operations) {
    for (const body of ["{}", "[]", "1", `"x"`, "null"]) {
      const { authorization } = await actorFor(operation);
      const headers = {
        ...(authorization === undefined ? {} : { authorization }),
        "content-type": "application/json",
        ...pageHeaders(operation.path),
      };
      const path = operation.path.replaceAll(/\{\w+\}/g, idFor(operation));
      const { method } = operation;
      const response = await world.harness.fetch(path, { method, headers, body });
      const msg = await messageOf(response);
      if (response.status >= 500 || validatorWords.test(msg))
        faults.push(`${method} ${path} takes ${body}: ${response.status} ${msg}`);
    }
  }
  expect(faults).toEqual([]);
  expect(operations.length).toBeGreaterThan(20);
});

test("a value beside those to choose from is refused by their names", async () => {
  const field = operationsOf(document)
    .flatMap(fieldsOf)
    .find(({ names }) => names.join(".") === "rights");
  if (field === undefined) throw new Error("No operation takes rights");
  const answers = [await sendWith(field, ["everything"]), await sendWith(field, ["find", 1])];
  expect(await Promise.all(answers.map(messageOf))).toEqual([
    "rights.0: must be one of find, permission, events, launcher, cape",
    "rights.1: must be one of find, permission, events, launcher, cape",
  ]);
});
