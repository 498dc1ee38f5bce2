/**
 * Every address of every protocol is there, refuses other methods in its protocol's form, and is unknown when
 * it is off.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { protocolNames, type ProtocolName } from "../../src/http/protocol-names.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { pageRoutes } from "./page-routes.ts";
import {
  auroraSecret,
  filled,
  fits,
  isEnvelope,
  isOfProtocol,
  openProtocols,
  pathOf,
  type ProtocolWorld,
} from "./protocol-world.ts";

let world: ProtocolWorld;
let harness: Harness;
/** Nothing is on. */
let silent: Harness;
beforeAll(async () => {
  world = await openProtocols();
  ({ harness } = world);
  await addMember(harness, "Anna");
  silent = await openHarness({ settings: { PROTOCOLS: "none", AURORA_SECRET: auroraSecret } });
  await addMember(silent, "Anna");
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await silent[Symbol.asyncDispose]();
});

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The routes of the protocols, as the program lists them. */
const protocolRoutes = () =>
  harness.routes
    .map((route) => route.split(" "))
    .filter(([, pattern = ""]) => isOfProtocol(pattern))
    .map(([method = "", pattern = ""]) => ({ method, pattern }));

describe.each(protocolNames)("%s", (name: ProtocolName) => {
  test("answers at every address that its clients ask for", async () => {
    const missing: string[] = [];
    for (const request of pageRoutes[name]) {
      const [method, path] = filled(request);
      const [bare = ""] = path.split("?");
      const known = harness.routes.some((route) => {
        const [served = "", pattern = ""] = route.split(" ");
        return served === method && fits(pattern, bare);
      });
      const { status } = await harness.fetch(path, { method });
      if (!known || status === 405 || status >= 500) missing.push(`${request}: ${status}`);
    }
    expect(missing).toEqual([]);
  });

  test("answers like an unknown address when it is off", async () => {
    const different: string[] = [];
    for (const request of pageRoutes[name]) {
      const [method, path] = filled(request);
      const [there, unknown] = await Promise.all(
        [path, "/no/such/address"].map(async (address) => {
          const { status, headers, body } = await answerOf(silent, address, method);
          return JSON.stringify({ status, type: headers.get("content-type"), body });
        }),
      );
      if (there !== unknown) different.push(`${request}: ${there}`);
    }
    expect(different).toEqual([]);
  });
});

async function answerOf(service: Harness, path: string, method: string) {
  const { status, headers, ...response } = await service.fetch(path, { method }).then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
  }));
  return { status, headers, body: response.text };
}

test("an address serves the same with and without a final slash of the root", async () => {
  for (const root of ["/api/yggdrasil", "/api/yggdrasil/"]) {
    const { status, body } = await answerOf(harness, root, "GET");
    expect(status).toBe(200);
    expect(Object.keys(JSON.parse(body)).toSorted()).toEqual(["meta", "signaturePublickey", "skinDomains"]);
  }
});

test("every address refuses every other method in its protocol's form", async () => {
  const routes = protocolRoutes();
  expect(routes.length).toBeGreaterThan(100);
  const faults: string[] = [];
  const asked = new Set<string>();
  for (const { pattern } of routes) {
    const path = pathOf(pattern);
    const served = new Set(routes.filter((one) => fits(one.pattern, path)).map(({ method }) => method));
    for (const method of methods) {
      const request = `${method} ${path}`;
      if (served.has(method) || asked.has(request)) continue;
      asked.add(request);
      const { status, headers, body } = await answerOf(harness, path, method);
      const fault = faultOf(path, status, body);
      if (fault !== null) faults.push(`${request}: ${fault}: ${status} ${body.slice(0, 100)}`);
      else if (status === 405 && headers.get("allow") === null) faults.push(`${request}: no Allow`);
    }
  }
  expect(faults).toEqual([]);
  expect(asked.size).toBeGreaterThan(300);
});

test.each([
  "/api/yggdrasil/nothing",
  "/api/yggdrasil/authserver",
  "/api/yggdrasil/authserver/nothing",
  "/api/yggdrasil/authserver/authenticate/more",
  "/api/yggdrasil/sessionserver/session/minecraft/profile",
  "/api/yggdrasil/minecraftservices/nothing/at/all",
  "/api/yggdrasil/%00",
  "/api/yggdrasil/..%2fauth",
  "/api/gravit/nothing",
  "/api/gravit/auth/hardware",
  "/csl/nothing/here",
  "/usm/nothing/here",
  "/ely/nothing/here/at/all",
  "/legacy/nothing/here",
])("%s, which does not exist, answers 404 in its protocol's form", async (path) => {
  for (const method of ["GET", "POST"]) {
    const { status, body } = await answerOf(harness, path, method);
    expect({ method, status, fault: faultOf(path, status, body, "Not Found") }).toEqual({
      method,
      status: 404,
      fault: null,
    });
  }
});

/** What is wrong with a refusal: each protocol's clients read another form. */
function faultOf(path: string, status: number, body: string, error = "Method Not Allowed"): string | null {
  if (path.startsWith("/api/aurora/")) return auroraFault(body);
  if (status !== 405 && status !== 404) return "another status";
  const json = jsonOf(body);
  if (path.startsWith("/api/yggdrasil")) {
    if (typeof json !== "object" || json === null) return "no JSON";
    if (Object.keys(json).toSorted().join() !== "error,errorMessage") return "other keys";
    return Reflect.get(json, "error") === error ? null : "another error";
  }
  if (path.startsWith("/api/gravit/auth")) {
    const { error: words, code } = Object(json);
    return typeof words === "string" && Number.isInteger(code) && !isEnvelope(json)
      ? null
      : "no error and code";
  }
  if (path.startsWith("/api/gravit")) {
    return typeof Object(json).error === "string" && !isEnvelope(json) ? null : "no error";
  }
  // Pictures for websites fail as delivery does.
  if (/^\/(?:crafatar|minotar|mc-heads)\//.test(path)) return null;
  return isEnvelope(json) ? "the envelope" : null;
}

function auroraFault(body: string): string | null {
  const { success, error, ...more } = Object(jsonOf(body));
  const isRefusal = success === false && typeof error === "string" && Object.keys(more).length === 0;
  return isRefusal ? null : "not the launch server's form";
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

test("with a wrong secret there is no address of the launch server", async () => {
  const wrong = "another-secret-of-thirty-two-characters-too";
  for (const request of pageRoutes.aurora) {
    const path = request.replace("POST ", "").replace("{secret}", wrong);
    const { status, body } = await answerOf(harness, path, "POST");
    expect(status).toBe(404);
    // What the launcher's server cannot read ends it, so these calls are answered in its form.
    expect(jsonOf(body)).toHaveProperty("success");
  }
});
