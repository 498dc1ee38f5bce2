import type { Config } from "../boot/config.ts";
import { openServices, refuseEmptyFolder, type Services } from "../boot/services.ts";
import type { Context } from "./command.ts";
import { aboutDataFolder } from "./data-folder-faults.ts";

/**
 * Opens the data folder that the settings name, does the work, and closes it again. A server may be running meanwhile. Only
 * who `begins` a community makes a folder: with any other command a folder that is not there is a mistyped one.
 */
export async function withServices<T>(
  { loadConfig }: Context,
  work: (services: Services, config: Config) => Promise<T>,
  { begins = false }: { readonly begins?: boolean } = {},
): Promise<T> {
  const { config } = await loadConfig();
  try {
    if (!begins) refuseEmptyFolder(config);
    await using services = await openServices(config);
    return await work(services, config);
  } catch (cause) {
    throw aboutDataFolder(config.dataDir, cause);
  }
}
