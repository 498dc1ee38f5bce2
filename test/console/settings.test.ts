import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, loadConfig } from "../../src/boot/config.ts";
import { run } from "../cli/run-program.ts";

const folder = await mkdtemp(join(tmpdir(), "cloakroom-logo-"));
afterAll(() => rm(folder, { recursive: true }));

const cape = await Bun.file(new URL("../../docs/examples/cape.png", import.meta.url)).bytes();

async function file(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await Bun.write(path, bytes);
  return path;
}

/** A PNG that unpacks to many pixels from few bytes. */
function widePng(edge: number): Promise<Uint8Array> {
  return new Bun.Image(cape).resize(edge, edge).png({ palette: true, colors: 2 }).bytes();
}

async function faultsOf(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const sources = { flags: {}, environment, file: null, logsToTerminal: false, serving: true };
  try {
    await loadConfig(sources);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

async function configOf(environment: Readonly<Record<string, string>>) {
  return (await loadConfig({ flags: {}, environment, file: null, logsToTerminal: false, serving: true }))
    .config;
}

/** A picture with so many bytes, those behind its end included. */
function paddedTo(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(cape);
  return bytes;
}

describe("COMMUNITY_LOGO", () => {
  test.each([
    ["a text", "logo.txt", () => "no picture"],
    ["a PNG that ends too soon", "half.png", () => cape.slice(0, 200)],
    ["a JPEG", "logo.jpg", () => new Bun.Image(cape).jpeg().bytes()],
    ["a file of more than 256 KiB", "large.png", () => paddedTo(256 * 1024 + 1)],
    ["a small file of many pixels", "wide.png", () => widePng(1100)],
    ["an empty file", "empty.png", () => ""],
  ])("may not be %s", async (_, name, make) => {
    const path = await file(name, await make());
    const faults = await faultsOf({ COMMUNITY_LOGO: path });
    expect(faults).toEqual([
      expect.stringContaining("COMMUNITY_LOGO must be a PNG or WebP file of at most 256 KiB"),
    ]);
  });

  test("may not be missing, nor a folder", async () => {
    for (const path of [join(folder, "none.png"), folder]) {
      expect(await faultsOf({ COMMUNITY_LOGO: path })).toEqual([
        expect.stringContaining("COMMUNITY_LOGO must be"),
      ]);
    }
  });

  test("is encoded again, and fits into 256 pixels", async () => {
    const webp = await file("logo.webp", await new Bun.Image(cape).resize(600, 300).webp().bytes());
    const { console: own } = await configOf({ COMMUNITY_LOGO: webp });
    const { width, height, format } = await new Bun.Image(own!.logo!.picture).metadata();
    expect({ width, height, format }).toEqual({ width: 256, height: 128, format: "png" });
  });
});

describe("COMMUNITY_ACCENT", () => {
  test.each(["red", "#fff", "#12345", "#1234567", "0f766e", "#0f766g", "rgb(1,2,3)", "#0f766e;}"])(
    "may not be %s",
    async (accent) => {
      expect(await faultsOf({ COMMUNITY_ACCENT: accent })).toEqual([
        expect.stringMatching(/^COMMUNITY_ACCENT .*must be a colour of six hexadecimal digits/),
      ]);
    },
  );

  test("is kept for both modes", async () => {
    const { accent } = await configOf({ COMMUNITY_ACCENT: "#0F766E" });
    expect(accent?.light.accent).toBe("#0f766e");
    expect((await configOf({})).accent).toBeNull();
  });
});

describe("COMMUNITY_LINKS", () => {
  test.each([
    ["plain http", "Rules=http://example.org"],
    ["a script", "Rules=javascript:alert(1)"],
    ["no address", "Rules"],
    ["no label", "=https://example.org"],
    ["a blank label", " =https://example.org"],
    ["an address alone", "https://example.org"],
    ["a password", "Rules=https://me:secret@example.org"],
    ["an empty link", "Rules=https://example.org,"],
    ["a label of 41 characters", `${"a".repeat(41)}=https://example.org`],
    ["13 links", Array.from({ length: 13 }, (_, at) => `L${at}=https://example.org`).join()],
  ])("may not have %s", async (_, links) => {
    expect(await faultsOf({ COMMUNITY_LINKS: links })).toEqual([
      expect.stringMatching(/^COMMUNITY_LINKS .*must be /),
    ]);
  });

  test("keeps their order, and a = in an address", async () => {
    const { console: own } = await configOf({
      COMMUNITY_LINKS: " B = https://b.example/?a=1 , A=https://a.example",
    });
    expect(own?.links).toEqual([
      { label: "B", url: "https://b.example/?a=1" },
      { label: "A", url: "https://a.example/" },
    ]);
  });
});

describe("COMMUNITY_TEXT", () => {
  test.each([
    ["a control character", "bell \u0007"],
    ["1001 characters", "a".repeat(1001)],
    ["blanks alone", "  \n "],
  ])("may not have %s", async (_, text) => {
    expect(await faultsOf({ COMMUNITY_TEXT: text })).toEqual([expect.stringMatching(/^COMMUNITY_TEXT /)]);
  });

  test("may have several lines", async () => {
    expect((await configOf({ COMMUNITY_TEXT: "One\r\nTwo" })).console?.text).toBe("One\nTwo");
  });
});

test("without the console nothing of it is read", async () => {
  expect((await configOf({ CONSOLE: "false", COMMUNITY_LOGO: "/none" })).console).toBeNull();
  expect(await faultsOf({ CONSOLE: "no" })).toEqual([
    expect.stringMatching(/^CONSOLE .*must be true or false/),
  ]);
});

test("the server says all faults at once, each with its setting, and exits with 2", async () => {
  const environment = {
    DATA_DIR: join(folder, "data"),
    COMMUNITY_LOGO: await file("none.png", "none"),
    COMMUNITY_ACCENT: "red",
    COMMUNITY_LINKS: "Rules=http://example.org",
    COMMUNITY_TEXT: "\u0007",
  };
  const { code, error } = await run(["serve"], { environment });
  expect(code).toBe(2);
  for (const name of ["LOGO", "ACCENT", "LINKS", "TEXT"]) expect(error).toContain(`COMMUNITY_${name} `);
});
