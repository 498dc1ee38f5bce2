/** A first skin, through the types that openapi-typescript makes. */
import createClient from "openapi-fetch";
import type { paths } from "./api.ts";

const {
  CLOAKROOM: baseUrl = "",
  CLOAKROOM_NAME: username = "",
  CLOAKROOM_PASSWORD: password = "",
} = process.env;
const client = createClient<paths>({ baseUrl });

const refused = await client.POST("/api/auth/login", { body: { username, password: "a wrong password" } });
if (refused.error?.msg !== "Invalid username or password")
  throw new Error("a wrong password was not refused");

const signedIn = await client.POST("/api/auth/login", { body: { username, password } });
if (signedIn.data === undefined) throw new Error(signedIn.error.msg);
const headers = { authorization: `Bearer ${signedIn.data.data.jwt}` };

const form = new FormData();
form.set("skin", Bun.file(process.env["SKIN"] ?? ""), "skin.png");
form.set("name", "Scout");
const uploaded = await client.POST("/api/home/edit/upload", {
  headers,
  body: { skin: "", name: "Scout" },
  bodySerializer: () => form,
});
if (uploaded.error !== undefined) throw new Error(uploaded.error.msg);

const home = await client.GET("/api/home", { headers });
const [skin] = home.data?.data.Skin ?? [];
if (skin?.Name !== "Scout") throw new Error("the wardrobe does not hold the skin");

const selected = await client.POST("/api/home/edit/skin/select", { headers, body: { skinid: skin.Uuid } });
if (selected.error !== undefined) throw new Error(selected.error.msg);

const head = await client.GET("/api/skin/head/{uuid}", {
  params: { path: { uuid: username }, query: { size: 64, type: "player" } },
  parseAs: "arrayBuffer",
});
if (head.data === undefined) throw new Error(head.error.msg);
const bytes = new Uint8Array(head.data);
if (bytes[1] !== "P".charCodeAt(0) || bytes[2] !== "N".charCodeAt(0)) throw new Error("the head is no PNG");
console.log(`walked: ${bytes.length} bytes of a head`);
