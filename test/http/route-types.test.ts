import { expect, test } from "bun:test";
import { route } from "../../src/http/routing/route.ts";

test("a route of GET cannot ask for what is done before a body is read", () => {
  const refuse = () => Promise.reject(new Error("too many"));
  const handle = () => new Response();
  // @ts-expect-error nothing would ask it
  expect(route("GET", "/", { before: refuse, handle }).method).toBe("GET");
  expect(route("POST", "/", { before: refuse, handle }).before).toBe(refuse);
});
