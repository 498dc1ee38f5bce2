/**
 * How this process was started, so that pages and messages show commands as the person who runs the server
 * types them.
 */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { shellWord } from "../boot/installation.ts";
import type { Start } from "../domain/model/installation.ts";
import { limits } from "../kernel/limits.ts";
import { readPlainTextSync } from "../kernel/plain-files.ts";

/** What is known of a process. */
export type OwnProcess = {
  /** The program's name as it was typed. */
  readonly typed: string;
  /** Path of the program that runs: Bun, or the binary. */
  readonly executable: string;
  /** Path of `src/main.ts`; null in the binary. */
  readonly source: string | null;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  /** Whether it is what a container of Docker or Podman runs. */
  readonly isContainer: boolean;
  /** The control group of a service of systemd: `/system.slice/cloakroom.service`. Empty: not known. */
  readonly controlGroup: string;
};

/** This process. */
export function ownProcess(environment: OwnProcess["environment"], isTerminal: boolean): OwnProcess {
  return {
    typed: process.argv0,
    executable: process.execPath,
    source: Bun.isStandaloneExecutable ? null : Bun.main,
    folder: process.cwd(),
    environment,
    isTerminal,
    isContainer: [process.pid, process.ppid].includes(1) && isInContainer(),
    controlGroup: readControlGroup(),
  };
}

function isInContainer(): boolean {
  return existsSync("/.dockerenv") || existsSync("/run/.containerenv");
}

/** `0::/path` is the line of the unified hierarchy (cgroups(7)). */
function readControlGroup(): string {
  try {
    const text = readPlainTextSync("/proc/self/cgroup", limits.operatorFileBytesMax);
    return /^0::(?<path>.*)$/m.exec(text)?.groups?.["path"] ?? "";
  } catch {
    return "";
  }
}

/** What the person who runs the process types. */
export function startOf(own: OwnProcess): Start {
  return { command: commandOf(own), folder: own.folder, restart: restartOf(own) };
}

function commandOf({ typed, executable, source, folder }: OwnProcess): string {
  if (source === null) return shellWord(typed);
  const repository = dirname(dirname(source));
  const isPackaged = executable.startsWith(join(repository, "node_modules"));
  if (folder === repository) return `${isPackaged ? "npx bun" : "bun"} ${relative(folder, source)}`;
  return `${isPackaged ? shellWord(executable) : "bun"} ${shellWord(source)}`;
}

function restartOf(own: OwnProcess): Start["restart"] {
  const { environment, isTerminal, isContainer, controlGroup } = own;
  const unit = /\/(?<unit>[^/]+)\.service$/.exec(controlGroup)?.groups?.["unit"];
  // systemd gives the variable to what it starts; programs that start others for users, such as sshd, do not
  // pass it on.
  if (unit !== undefined && !isTerminal && environment["SYSTEMD_EXEC_PID"] !== undefined) {
    const user = controlGroup.includes("/user@") ? " --user" : "";
    return { by: "systemd", command: `systemctl${user} restart ${shellWord(unit)}` };
  }
  if (isContainer) return { by: "container", command: containerCommand(environment) };
  if (environment["npm_lifecycle_event"] === "start")
    return { by: "npm", command: isBun(environment) ? "bun start" : "npm start" };
  return { by: isTerminal ? "terminal" : "unknown", command: null };
}

/** Without a name of its own a container's host name is the beginning of its id. */
function containerCommand({ HOSTNAME: host = "" }: OwnProcess["environment"]): string | null {
  return /^[0-9a-f]{12}$/.test(host) ? `docker restart ${host}` : null;
}

function isBun({ npm_config_user_agent: agent = "" }: OwnProcess["environment"]): boolean {
  return agent.startsWith("bun/");
}
