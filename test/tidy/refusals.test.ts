/** A refusal is defined once, in a table, and every refusal of the API has a code. */
import { expect, test } from "bun:test";
import { apiSurface } from "../../src/http/api/surface.ts";
import { consoleSurface } from "../../src/http/console/surface.ts";
import type { SurfaceOf } from "../../src/http/protocols.ts";
import type { Route } from "../../src/http/routing/route.ts";
import { refusals } from "../../src/domain/model/refusals.ts";
import { catalogue } from "../../src/http/refusal-catalogue.ts";
import { httpRefusals } from "../../src/http/refusals.ts";
import { rules } from "../../src/http/rules.ts";
import type { RouteSchema } from "../../src/http/openapi/json-schema.ts";
import { errorsPage, errorsPagePath } from "../../tools/errors-page.ts";
import { openHarness } from "../support/harness.ts";
import { faultyLines, readProjectFiles } from "./project-files.ts";

const tables = [refusals, httpRefusals, rules].flatMap((table) => Object.values(table));

test("a code belongs to one refusal, and is of letters and underscores", () => {
  const codes = tables.map(({ code }) => code);
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
  expect(codes.filter((code) => !/^[a-z]+(?:_[a-z]+)*$/.test(code))).toEqual([]);
  expect([...catalogue.keys()]).toEqual(codes);
});

test("every sentence can be written, with names of values that a header takes", () => {
  const faults = tables.flatMap(({ code, sentence, of }) => {
    const places = [...sentence.matchAll(/\{([^{}|]+)(?:\|([^{}]+))?\}/g)];
    const names = places.map(([, name = ""]) => name);
    const write = of as (...given: readonly number[]) => { readonly rule: string };
    const { rule } = write(...names.map((_, at) => at + 1));
    const isBad =
      names.some((name) => !/^[a-z]+(?:_[a-z]+)*$/.test(name)) || new Set(names).size < names.length;
    return isBad || /[{}|]|undefined|NaN/.test(rule) ? [`${code}: ${rule}`] : [];
  });
  expect(faults).toEqual([]);
});

const cells = (text: string) => text.replaceAll(/\s+/g, " ").replaceAll(/-{3,}/g, "---");

test("docs/contract/errors.md is what `bun run docs` makes", async () => {
  expect(cells(await Bun.file(errorsPagePath).text())).toBe(cells(errorsPage()));
});

test("refusals are defined in tables alone", () => {
  const files = readProjectFiles(/^src\/.*\.ts$/).filter(
    ({ path }) => !/(?:^|[-/])(?:refusals|rules)\.ts$|^src\/kernel\/refusal\.ts$/.test(path),
  );
  const defined = /(?<![\w.])refusal\(\s*"/;
  expect(files.flatMap((file) => faultyLines(file, defined, "belongs in a table of refusals"))).toEqual([]);
});

/** Operators and protocols of others have no codes. What the API does has. */
const withoutCodes =
  /^src\/(?:adapters|boot|cli|operate|jobs|kernel|domain\/(?:backup|game|events|import)|http\/(?:yggdrasil|gravit|aurora|avatars|csl|usm|ely|legacy|game))\//;

/** Faults of the program, operators' tasks, and what launchers alone may do. */
const exceptions: ReadonlySet<string> = new Set([
  "src/render/png-decode.ts",
  "src/domain/social/derive-username.ts",
  "src/domain/textures/place.ts",
  "src/domain/textures/place-faults.ts",
  "src/domain/players/wear-upload.ts",
  "src/http/textures/mod-failures.ts",
]);

test("what the API does fails with a code", () => {
  const files = readProjectFiles(/^src\/.*\.ts$/).filter(
    ({ path }) => !withoutCodes.test(path) && !exceptions.has(path),
  );
  const plain = /(?:new|extends) PlainError/;
  expect(files.flatMap((file) => faultyLines(file, plain, "an API's failure has a code"))).toEqual([]);
});

test("every rule of the API's routes has a code, and no field has another field's name in the domain", async () => {
  const routes: Route[] = [];
  const look: SurfaceOf = (services, http) => {
    const api = apiSurface(services, http);
    const { console } = http.site;
    const web = console === null ? null : consoleSurface(services, http, console, api.presentFailure);
    const all = [api.routes(), web?.surface.routes()].filter((one) => Array.isArray(one));
    routes.push(...all.flat());
    return { prefixes: ["/nowhere"], routes: () => [], presentFailure: api.presentFailure };
  };
  await using _ = await openHarness({ surfaces: [look] });
  expect(routes.length).toBeGreaterThan(80);
  const faults = routes.flatMap(({ method, path, body, query, params }) =>
    [body, query, params].flatMap((schema) =>
      schemaFaults(schema).map((fault) => `${method} ${path}: ${fault}`),
    ),
  );
  expect(faults).toEqual([]);
});

function schemaFaults(schema: RouteSchema | undefined): readonly string[] {
  const properties = Object.entries(schema?.properties ?? {});
  return properties.flatMap(([name, inner]) => [
    ...(typeof inner.rule === "string" ? [`${name}: ${inner.rule}`] : []),
    ...properties.flatMap(([other, { field }]) =>
      other !== name && field === name ? [`${name} is ${other}`] : [],
    ),
    ...schemaFaults(inner),
  ]);
}
