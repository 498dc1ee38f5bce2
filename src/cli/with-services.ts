import type { Config } from "../boot/config.ts";
import { openServices, type Services } from "../boot/services.ts";
import type { Context } from "./command.ts";
import { aboutDataFolder } from "./data-folder-faults.ts";

/** Opens the data folder that the settings name, does the work, and closes it again. A server may be running meanwhile. */
export async function withServices<T>(
  { loadConfig }: Context,
  work: (services: Services, config: Config) => Promise<T>,
): Promise<T> {
  const { config } = await loadConfig();
  try {
    await using services = await openServices(config);
    return await work(services, config);
  } catch (cause) {
    throw aboutDataFolder(config.dataDir, cause);
  }
}
