/** A client of the services that the game itself asks: profile, entitlements, certificates. */
import constants from "prismarine-auth/src/common/Constants.js";
import TokenManager from "prismarine-auth/src/TokenManagers/MinecraftJavaTokenManager.js";

/** prismarine-auth's client, which keeps its addresses in one table. */
export function openJavaServices(root: string): TokenManager {
  Object.assign(constants.Endpoints.minecraftJava, {
    profile: `${root}/minecraftservices/minecraft/profile`,
    entitlements: `${root}/minecraftservices/entitlements/mcstore`,
    certificates: `${root}/minecraftservices/player/certificates`,
  });
  return new TokenManager({ getCached: async () => ({}), setCachedPartial: async () => undefined });
}
