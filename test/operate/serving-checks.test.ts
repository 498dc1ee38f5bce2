/** What a running server finds out about itself. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig } from "../../src/boot/config.ts";
import { createServingChecks, withoutPaths } from "../../src/operate/serving-checks.ts";
import { temporaryFolder } from "../cli/run-program.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

async function open(name: string, settings: Readonly<Record<string, string>> = {}) {
  const dataDir = join(folder.path, name);
  await mkdir(dataDir, { mode: 0o700 });
  const loaded = await loadConfig({
    flags: { DATA_DIR: dataDir },
    environment: settings,
    file: null,
    logsToTerminal: false,
  });
  let steady = 100;
  const clock = { nowSeconds: () => Math.floor(Date.now() / 1000), steadySeconds: () => steady };
  const checks = createServingChecks({ loaded, clock });
  return { dataDir, checks, wait: (seconds: number) => void (steady += seconds) };
}

const warned = async ({ checks }: Awaited<ReturnType<typeof open>>) =>
  (await checks.read()).some(({ text }) => text.includes("SMTP_URL is not set"));

describe("the checks of a running server", () => {
  test("are those of doctor that are quick, with what to do", async () => {
    const { checks } = await open("quick");
    const results = await checks.read();
    expect([...new Set(results.map(({ name }) => name))]).toEqual([
      "settings",
      "disk",
      "mail server",
      "certificate",
      "public address",
      "launchers",
      "backups",
      "open files",
    ]);
    expect(results).toContainEqual({
      name: "settings",
      state: "warning",
      code: "smtp_unset",
      values: {},
      text: "SMTP_URL is not set: mails with codes are written to files and reach no user",
      remedy: "set it to your mail server",
    });
    expect(results).toContainEqual({
      name: "mail server",
      state: "ok",
      code: "mail_server_unset",
      values: {},
      text: "no mail server is set",
      remedy: null,
    });
  });

  test("show no path of the machine", async () => {
    const place = join(folder.path, "a file, not a folder");
    await writeFile(place, "");
    const { checks, dataDir } = await open("paths", {
      BACKUP_DIR: place,
      BACKUP_SCHEDULE: "0 4 * * *",
      TLS_CERT: join(folder.path, "cert.pem"),
      TLS_KEY: join(folder.path, "key.pem"),
    });
    await chmod(dataDir, 0o700);
    const results = await checks.read();
    const text = JSON.stringify(results);
    expect(text).not.toContain(folder.path);
    const faults = results.filter(({ state }) => state === "fault").map(({ name }) => name);
    expect(faults).toEqual(expect.arrayContaining(["backups", "certificate"]));
    await rm(place);
  });

  test("are shared by all who ask at once, and remembered for a minute", async () => {
    const world = await open("remembered");
    const [one, other] = await Promise.all([world.checks.read(), world.checks.read()]);
    expect(one).toBe(other);
    world.wait(59);
    expect(await world.checks.read()).toBe(one);
    world.wait(2);
    expect(await world.checks.read()).toBe(one);
    world.wait(300);
    expect(await world.checks.read()).not.toBe(one);
    expect(await warned(world)).toBe(true);
  });

  test("end at once with the server", async () => {
    using silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    const { checks } = await open("silent", { SMTP_URL: `smtp://127.0.0.1:${silent.port}` });
    const reading = checks.read();
    await Bun.sleep(1);
    checks[Symbol.dispose]();
    expect(await reading).toContainEqual(expect.objectContaining({ name: "mail server", state: "fault" }));
    silent.stop(true);
  });
});

describe("a text without paths", () => {
  const config = {
    dataDir: "/srv/cloakroom data",
    backup: { dir: "./backups/cloakroom" },
    tls: { certFile: "/etc/tls/cert.pem", keyFile: "/etc/tls/key.pem" },
  } as Parameters<typeof withoutPaths>[1];

  test.each([
    ["BACKUP_DIR ./backups/cloakroom cannot be used", "BACKUP_DIR … cannot be used"],
    ["chmod 700 '/srv/cloakroom data'", "chmod 700 '…'"],
    ["open /etc/tls/key.pem: permission denied", "open …: permission denied"],
    ["ENOENT: no such file, open '/var/lib/x/y'", "ENOENT: no such file, open '…'"],
    [String.raw`C:\\Users\\x is no folder`, "… is no folder"],
    ["/ is no folder", "/ is no folder"],
    ["https://play.example.org/api/yggdrasil answers", "https://play.example.org/api/yggdrasil answers"],
    ["3 of 4 textures, 5/6", "3 of 4 textures, 5/6"],
  ])("%s", (text, shown) => {
    expect(withoutPaths(text, config)).toBe(shown);
  });
});
