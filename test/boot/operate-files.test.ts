/** The files beside the operator's guide name settings that there are, with values that a server takes. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/boot/config.ts";
import { settings } from "../../src/boot/config/settings.ts";

const folder = join(import.meta.dir, "../../docs/operate");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const secret = "mPq7wVb2ZkT9xLr4NcYd8HsJf3GuEa6B";

/** Variables that compose takes from the operator's own file. */
const filled = (value: unknown) =>
  String(value)
    .replace("${PUBLIC_URL:?}", "https://skins.example.org")
    .replace(/\$\{\w+:\?\}/, secret);

type Compose = {
  readonly "x-node": { readonly ulimits: { readonly nofile: number } };
  readonly "x-settings": Readonly<Record<string, unknown>>;
  readonly services: Readonly<Record<string, { readonly environment?: Readonly<Record<string, unknown>> }>>;
};

function environmentsOf({ services, "x-settings": common }: Compose) {
  return ["node1", "node2"].map((name) => {
    const all = { ...common, ...services[name]?.environment };
    return Object.fromEntries(
      Object.entries(all).flatMap(([key, value]) => (key === "<<" ? [] : [[key, filled(value)]])),
    );
  });
}

function environmentOfUnits(): Readonly<Record<string, string>> {
  const lines = ["cloakroom.service", "cloakroom-node.conf"].flatMap((name) => read(name).split("\n"));
  const pairs = lines.flatMap((line) => /^Environment=(\w+)=(.*)$/.exec(line)?.slice(1) ?? []);
  return Object.fromEntries(
    Array.from({ length: pairs.length / 2 }, (_, at) => [
      pairs[2 * at],
      pairs[2 * at + 1]?.replace("%H", "node1"),
    ]),
  );
}

const compose = Bun.YAML.parse(read("compose.yml")) as Compose; // the file beside the guide
const nodes = environmentsOf(compose);
const inFile = {
  JWT_SECRET: secret,
  DATABASE_URL: "postgres://cloakroom:p@127.0.0.1/cloakroom",
  HOST: "10.0.0.21",
};

test.each([
  ["compose.yml, node1", nodes[0] ?? {}, "node1"],
  ["compose.yml, node2", nodes[1] ?? {}, "node2"],
  ["the units", { ...inFile, ...environmentOfUnits() }, "node1"],
])("%s", async (_, environment, name) => {
  expect(Object.keys(environment).filter((setting) => !(setting in settings))).toEqual([]);
  const { config, withoutEffect } = await loadConfig({
    flags: {},
    environment,
    file: null,
    logsToTerminal: false,
    serving: true,
  });
  expect(withoutEffect).toEqual([]);
  expect(config).toMatchObject({ nodeName: name, socketFile: null });
  expect(config.database).not.toBeNull();
});

test("cloakroom.env names settings that there are, also in its comments", () => {
  const names = Array.from(
    read("cloakroom.env").matchAll(/^(?:# )?([A-Z_0-9]+)=/gm),
    ([, name = ""]) => name,
  );
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !(name in settings))).toEqual([]);
});

test("the unit, compose.yml and the guide's container may open enough files", () => {
  const [, ofUnit] = /^LimitNOFILE=(\d+)$/m.exec(read("cloakroom.service")) ?? [];
  const [, ofContainer] = /--ulimit nofile=(\d+) /.exec(read("README.md")) ?? [];
  expect([Number(ofUnit), Number(ofContainer), compose["x-node"].ulimits.nofile]).toEqual([
    65_536, 65_536, 65_536,
  ]);
});

test("the unit is started again for as long as it takes, unless its settings cannot be used", () => {
  const unit = read("cloakroom.service");
  const [head = "", service = ""] = unit.split("[Service]");
  expect(head).toMatch(/^StartLimitIntervalSec=0$/m);
  expect(service).toMatch(/^Restart=always$/m);
  expect(service).toMatch(/^RestartPreventExitStatus=2$/m);
});

test("a node may take its DRAIN_SECONDS, ten seconds for requests, and some to end", () => {
  const [, ofGuide] = /^DRAIN_SECONDS=(\d+)$/m.exec(read("scale-out.md")) ?? [];
  const [, ofUnit] = /^TimeoutStopSec=(\d+)$/m.exec(read("cloakroom-node.conf")) ?? [];
  const { DRAIN_SECONDS: ofCompose } = compose["x-settings"];
  const [, ofContainer] = /stop_grace_period: (\d+)s/.exec(read("compose.yml")) ?? [];
  expect(Number(ofUnit)).toBeGreaterThanOrEqual(Number(ofGuide) + 15);
  expect(Number(ofContainer)).toBeGreaterThanOrEqual(Number(ofCompose) + 15);
});
