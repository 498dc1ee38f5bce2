import { everyProtocol } from "../../tools/every-protocol.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { startServer, type ServerProcess } from "./server-process.ts";

/** The program with every protocol on. */
export async function startEverything(): Promise<ServerProcess> {
  const folder = await temporaryFolder();
  const server = await startServer(await everyProtocol(folder.path));
  const stop = async () => {
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  };
  return { ...server, [Symbol.asyncDispose]: stop };
}
