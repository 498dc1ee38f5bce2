import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "./bundle.ts";

type SettingsIn = (folder: string) => Promise<Readonly<Record<string, string>>>;

/**
 * The API's document, as the running program serves it with these settings, which may need files in a folder.
 */
export async function fetchDocument(settingsIn: SettingsIn = async () => ({})): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-openapi-"));
  try {
    const settings = { DATA_DIR: join(folder, "data"), PORT: "0", LOG_LEVEL: "error" };
    const env = { ...process.env, ...settings, ...(await settingsIn(folder)) };
    await using server = Bun.spawn([process.execPath, "src/main.ts", "serve"], { cwd: projectFolder, env });
    for await (const chunk of server.stdout) {
      const address = /listening on (\S+)/.exec(new TextDecoder().decode(chunk))?.[1];
      if (address !== undefined) return await (await fetch(`${address}/swagger/json`)).text();
    }
    throw new Error("The server ended before it listened");
  } finally {
    await rm(folder, { recursive: true });
  }
}
