/**
 * What a page of somebody else can have a browser send without asking beforehand (Fetch standard,
 * CORS-safelisted requests).
 */
import { afterAll, expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const chief = await addMember(harness, "Chief", { level: 3 });

/** The link in a mail is the proof there, and mail programs post to it from anywhere (RFC 8058). */
const provenByAddress = "/mail/unsubscribe/:token";
const posts = harness.apiRoutes
  .filter((route) => route.startsWith("POST "))
  .map((route) => route.replace("POST ", ""))
  .filter((path) => path !== provenByAddress);
const plainTypes = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
] as const;
const requests = posts.flatMap((path) => plainTypes.map((type) => [path, type] as const));

test.each(requests)("a foreign page's POST %s of type %s is refused, cookies or not", async (path, type) => {
  const before = harness.database.everything();
  const response = await harness.fetch(path.replace(/:\w+/, "1"), {
    method: "POST",
    headers: {
      "content-type": type,
      origin: "https://elsewhere.example",
      cookie: `__Host-cloakroom=${chief.jwt}; jwt=${chief.jwt}; token=${chief.jwt}; Authorization=${chief.authorization}`,
    },
    body: JSON.stringify({ username: "Chief", mail: "someone@example.org" }),
  });
  // The console's own addresses refuse every page but its own.
  expect(path.startsWith("/console/") ? [403] : [401, 415]).toContain(response.status);
  expect(harness.database.everything()).toEqual(before);
});
