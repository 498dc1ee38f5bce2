/**
 * Why a server cannot listen where its settings say: found out before it tries, and in words when it has
 * tried.
 */
import { constants } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { connect } from "node:net";
import { dirname } from "node:path";
import { codeOf, PlainError } from "../kernel/errors.ts";
import { isIpAddress } from "../kernel/ip-address.ts";
import { systemReasons } from "../kernel/system-reasons.ts";
import type { Config } from "./config.ts";

type Place = Pick<Config, "host" | "port" | "socketFile">;

/**
 * The failure to listen as an error that names the place and what to do. `flag` sets another port. Unknown
 * faults stay as they are.
 */
export function listenFault({ host, port, socketFile }: Place, flag: string, cause: unknown): Error {
  const code = codeOf(cause) ?? "";
  if (socketFile !== null) {
    const reason = systemReasons[code] ?? String(cause);
    return new PlainError("internal", `cannot listen on ${socketFile}: ${reason}`, { cause });
  }
  const reason = listenReasons[isIpAddress(host) ? code : `${code} name`] ?? listenReasons[code];
  if (reason === undefined) return cause instanceof Error ? cause : new Error(code, { cause });
  const words = `cannot listen on ${host}, port ${port}: ${reason.replace("--port", flag)}`;
  return new PlainError("internal", words, { cause });
}

/** Takes the port and gives it back. Returns why that fails; null when a server can listen there. */
export async function findPortFault(
  { host, port }: Pick<Place, "host" | "port">,
  flag: string,
): Promise<Error | null> {
  try {
    await Bun.serve({ hostname: host, port, reusePort: false, fetch: () => new Response() }).stop(true);
    return null;
  } catch (cause) {
    return listenFault({ host, port, socketFile: null }, flag, cause);
  }
}

/**
 * Why no server can make its socket file there; null when one can. A socket that a killed process left is no
 * hindrance.
 */
export async function findSocketFault(path: string): Promise<Error | null> {
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isSocket())
    return new PlainError("internal", `LISTEN_UNIX: ${path} is there and is no socket`);
  if (found !== null && (await answers(path)))
    return new PlainError("internal", `cannot listen on ${path}: another program does`);
  return access(dirname(path), constants.W_OK | constants.X_OK).then(
    () => null,
    (cause: unknown) => listenFault({ host: "", port: 0, socketFile: path }, "", cause),
  );
}

function answers(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path, () => resolve(true));
  socket.on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

const unknownName = "no address is known for this name";
const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "it is in use; choose another with --port",
  // Bun reports the same for a name without an address.
  "EADDRINUSE name": `it is in use, or ${unknownName}; choose another with --port or --host`,
  // Bun's code when no name server answers.
  "EAGAIN name":
    "no name server answers now, so the address of this name is not known; give an IP address, or start again later",
  EINVAL: unknownName,
  EACCES: "permission denied; ports under 1024 are the system's, choose another with --port",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOENT: unknownName,
  ENOTFOUND: unknownName,
};
