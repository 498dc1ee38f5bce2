/** How the pages name commands: as this process was started. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { startOf, type OwnProcess } from "../../src/cli/own-start.ts";

const binary: OwnProcess = {
  typed: "cloakroom",
  executable: "/usr/local/bin/cloakroom",
  source: null,
  folder: "/srv",
  environment: {},
  isTerminal: false,
  isContainer: false,
  controlGroup: "/",
};
const repository = "/home/anna/cloak room";
const source: OwnProcess = {
  ...binary,
  typed: "bun",
  executable: join(repository, "node_modules/bun/bin/bun.exe"),
  source: join(repository, "src/main.ts"),
  folder: repository,
};

test.each<[string, OwnProcess, string]>([
  ["the binary by its name", binary, "cloakroom"],
  ["the binary by its path", { ...binary, typed: "/usr/local/bin/cloakroom" }, "/usr/local/bin/cloakroom"],
  ["the binary by a relative path", { ...binary, typed: "./cloakroom" }, "./cloakroom"],
  ["the binary in a folder with a blank", { ...binary, typed: "/opt/cloak room/c" }, "'/opt/cloak room/c'"],
  ["source in its folder", source, "npx bun src/main.ts"],
  [
    "source in its folder with a Bun of the machine",
    { ...source, executable: "/usr/bin/bun" },
    "bun src/main.ts",
  ],
  [
    "source in another folder",
    { ...source, folder: "/srv" },
    `'${repository}/node_modules/bun/bin/bun.exe' '${repository}/src/main.ts'`,
  ],
])("names %s as it was started", (_, own, command) => {
  expect(startOf(own).command).toBe(command);
});

describe("what restarts it", () => {
  const unit = { controlGroup: "/system.slice/cloakroom.service", environment: { SYSTEMD_EXEC_PID: "1" } };
  test.each<[string, OwnProcess, ReturnType<typeof startOf>["restart"]]>([
    [
      "a service of systemd",
      { ...binary, ...unit },
      { by: "systemd", command: "systemctl restart cloakroom" },
    ],
    [
      "an instance of a unit of the user's",
      {
        ...binary,
        ...unit,
        controlGroup: "/user.slice/user-1000.slice/user@1000.service/app.slice/cloakroom@one.service",
      },
      { by: "systemd", command: "systemctl --user restart cloakroom@one" },
    ],
    [
      "a program that another service started for a person",
      { ...binary, controlGroup: "/system.slice/ssh.service" },
      { by: "unknown", command: null },
    ],
    ["a terminal", { ...binary, isTerminal: true }, { by: "terminal", command: null }],
    ["a terminal in a service", { ...binary, ...unit, isTerminal: true }, { by: "terminal", command: null }],
    [
      "npm",
      {
        ...source,
        isTerminal: true,
        environment: { npm_lifecycle_event: "start", npm_config_user_agent: "npm/11" },
      },
      { by: "npm", command: "npm start" },
    ],
    [
      "Bun as npm",
      { ...source, environment: { npm_lifecycle_event: "start", npm_config_user_agent: "bun/1.4.4" } },
      { by: "npm", command: "bun start" },
    ],
    [
      "a container",
      { ...binary, isContainer: true, environment: { HOSTNAME: "0a1b2c3d4e5f" } },
      { by: "container", command: "docker restart 0a1b2c3d4e5f" },
    ],
    [
      "a container with a name of its own",
      { ...binary, isContainer: true, environment: { HOSTNAME: "skins" } },
      { by: "container", command: null },
    ],
    ["anything else", binary, { by: "unknown", command: null }],
  ])("is known for %s", (_, own, restart) => {
    expect(startOf(own).restart).toEqual(restart);
  });
});
