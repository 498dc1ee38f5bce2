import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paintedSkinFile } from "./textures.ts";

const projectRoot = join(import.meta.dir, "../..");
/** The password of the player that `createPlayer` makes. */
export const password = "a bench's own password";

/** The compiled binary with a data folder of its own, gone when the scope ends. */
export type Subject = AsyncDisposable & {
  /** Runs a command that prints JSON. */
  readonly command: (...args: readonly string[]) => Promise<Record<string, unknown>>;
  /** Starts the server and waits for the line that says where it listens. */
  readonly serve: (dataDir?: string, more?: Readonly<Record<string, string>>) => Promise<Server>;
  readonly folder: string;
  /** The program itself. */
  readonly binary: string;
};

export type Server = AsyncDisposable & { readonly pid: number; readonly url: string; readonly port: number };

/** Builds the binary as `bun run build` does, so that what is measured is what would be shipped now. */
export async function buildSubject(): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-bench-"));
  await Bun.$`${process.execPath} ${join(projectRoot, "tools/build.ts")} --out-dir ${folder}`.quiet();
  return openSubject(join(folder, "cloakroom"), folder);
}

/** Of a binary that is there, with a folder that goes when the scope ends. */
export function openSubject(binary: string, folder: string): Subject {
  const filled = join(folder, "data");

  return {
    folder,
    binary,
    command: async (...args) => {
      const text = await Bun.$`${binary} ${args} --json`.env(settings(filled)).text();
      return JSON.parse(text);
    },
    serve: (dataDir = filled, more = {}) =>
      startServer(binary, { ...settings(dataDir), ...more }, join(folder, "log")),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Room for all skins, and no limit that answers in the place of the server. */
function settings(dataDir: string): Record<string, string> {
  return {
    PORT: "0",
    DATA_DIR: dataDir,
    WARDROBE_MAX: "10000",
    RATE_LIMIT_FACTOR: "0",
  };
}

/** Its log goes to a file, as that of a service does, so that what is measured includes writing it. */
async function startServer(binary: string, env: Record<string, string>, log: string): Promise<Server> {
  const stderr = Bun.file(log);
  const child = Bun.spawn([binary, "serve"], { env, stdin: "ignore", stdout: "pipe", stderr });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const address = / listening on (?<url>http:\S+:(?<port>\d+))\n/.exec(new TextDecoder().decode(value));
  const { url = "", port = "" } = address?.groups ?? {};
  if (url === "") throw new Error(`The server does not say where it listens: ${await stderr.text()}`);
  return {
    pid: child.pid,
    url,
    port: Number(port),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
    },
  };
}

/** Somebody who wears a slim skin and a cape, and owns as many more skins as are asked for. */
export type Player = { readonly uuid: string; readonly skins: readonly string[] };

/** Makes a player through the command line and the HTTP interface, as operators and users do. */
export async function createPlayer(subject: Subject, server: Server, skinCount: number): Promise<Player> {
  const mail = "bench@example.org";
  const identity = ["--mail", mail, "--username", "Bench", "--password", password];
  const { uuid } = await subject.command("user", "create", ...identity);
  const capeFile = join(projectRoot, "docs/examples/cape.png");
  const cape = await subject.command("cape", "add", "--file", capeFile, "--name", "Cape", "--owner", mail);

  const session = await signIn(server, mail);
  const skins: string[] = [];
  for (let number = 0; number <= skinCount; number++) skins.push(await session.upload(number));
  const [worn = "", ...others] = skins;
  await session.wear(worn, String(cape["uuid"]));
  return { uuid: String(uuid), skins: others };
}

async function signIn({ url }: Server, username: string) {
  const call = async (method: string, path: string, init: { headers?: object; body: FormData | string }) => {
    const answer = await fetch(url + path, { method, headers: { ...init.headers }, body: init.body });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const json = { "content-type": "application/json" };
  const body = JSON.stringify({ username, password });
  const answer = await call("POST", "/api/auth/login", { headers: json, body });
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  const authorization = `Bearer ${data.jwt}`;

  return {
    upload: async (number: number): Promise<string> => {
      const form = new FormData();
      form.append("skin", new File([paintedSkinFile(number)], "skin.png"));
      form.append("slim", "true");
      const { headers } = await call("POST", "/api/home/edit/upload", {
        headers: { authorization },
        body: form,
      });
      return headers.get("location")?.split("/").at(-1) ?? "";
    },
    wear: async (skinid: string, cloakid: string): Promise<void> => {
      const headers = { ...json, authorization };
      await call("PUT", "/api/home/edit/skin", { headers, body: JSON.stringify({ skinid, cloakid }) });
    },
  };
}
