import { findListener } from "../../adapters/linux/listeners.ts";
import { openFilesMax } from "../../adapters/linux/open-files.ts";
import type { Config } from "../../boot/config.ts";
import { openFilesFinding } from "../../boot/open-files.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import { askOwnServer, placeText } from "../ask-server.ts";
import type { Subject } from "./finding.ts";

/**
 * How many files the server of this machine may have open. Without one: what a start from here would give it.
 */
export async function* checkOpenFiles(
  { config, isServer }: Subject,
  signal: AbortSignal,
): AsyncIterable<CodedFinding> {
  if (isServer || process.platform !== "linux" || !(await answers(config, signal))) {
    yield openFilesFinding(
      openFilesMax(),
      isServer ? "this server" : "no server runs here; one that this user starts",
    );
    return;
  }
  const { port, socketFile } = config;
  const pid = findListener(socketFile === null ? { port } : { socketFile });
  const max = pid === null ? null : openFilesMax(pid);
  yield max === null
    ? found("open_files_hidden", { place: placeText(config) })
    : openFilesFinding(max, `the server (process ${pid})`);
}

async function answers(config: Config, signal: AbortSignal): Promise<boolean> {
  if (config.socketFile === null && config.port === 0) return false;
  return (await askOwnServer(config, "/health/live", signal)).state === "cloakroom";
}
