/*
 * Serves the console while it is worked on: `bun run dev:web`. A saved file of `src/web` shows at once,
 * without a reload where that is possible; a saved file of the server restarts it. Flags and settings are
 * those of `serve`, with the data in ./data.
 *
 * Bun's own script for this stands in the pages, so they have no policy: tests run against the server itself.
 */
import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { projectFolder } from "./bundle.ts";

const address = "http://localhost:3000";
/** What the server answers itself; every other address is a page. */
const served = ["/api", "/auth", "/console", "/health", "/mail", "/swagger", "/textures", "/favicon.ico"];

const server = Bun.spawn(
  [
    process.execPath,
    "--watch",
    join(projectFolder, "src/main.ts"),
    "serve",
    "--port",
    "0",
    ...process.argv.slice(2),
  ],
  { env: { PUBLIC_URL: address, ...process.env }, stdio: ["ignore", "pipe", "inherit"] },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => server.kill(signal));
let target = Promise.withResolvers<string>();
void followServer();

const { default: page } = (await import(await writePage())) as { readonly default: Bun.HTMLBundle };
const handOn = (request: Request) => handTo(request);
Bun.serve({
  hostname: "localhost",
  port: Number(new URL(address).port),
  development: { hmr: true },
  routes: {
    ...Object.fromEntries(served.flatMap((path) => [path, `${path}/*`]).map((path) => [path, handOn])),
    "/*": page,
  },
});
console.log(`the console, with every change at once: ${address}`);

/** Shows what the server prints, and learns from it where the server listens, also after each restart. */
async function followServer(): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of server.stdout) {
    const text = decoder.decode(chunk, { stream: true });
    process.stdout.write(text);
    const found = / listening on (?<url>http:\S+)/.exec(text)?.groups?.["url"];
    if (found === undefined) continue;
    target.resolve(found);
    target = Promise.withResolvers();
    target.resolve(found);
  }
  process.exit(await server.exited);
}

async function handTo(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { method, headers, body } = request;
  const options = { method, headers, body, redirect: "manual", decompress: false } as const;
  return fetch((await target.promise) + pathname + search, options);
}

/** The console's page with the data that the server writes into it. Bun needs it as a file. */
async function writePage(): Promise<string> {
  const answer = await fetch(`${await target.promise}/console/community`);
  const { data } = (await answer.json()) as { readonly data: object };
  const json = JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
  const folder = join(projectFolder, "dist/dev-web");
  await mkdir(folder, { recursive: true });
  const source = relative(folder, join(projectFolder, "src/web"));
  const html = await Bun.file(join(projectFolder, "src/web/index.html")).text();
  const path = join(folder, "index.html");
  await Bun.write(
    path,
    html
      .replaceAll('"./', `"${source}/`)
      .replace("</head>", () => `<script type="application/json" id="community">${json}</script></head>`),
  );
  return path;
}
