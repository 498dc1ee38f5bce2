import { protocolsOf } from "./protocol-settings.ts";
import type { SettingValues } from "./settings.ts";

/** Rules for players, and the protocols of games and launchers. */
export function playerConfig(values: SettingValues) {
  return {
    players: Object.freeze({
      /** Players that an account may have unless staff gave it another number. */
      max: values.PLAYERS_MAX,
      uuids: values.PLAYER_UUIDS,
    }),
    protocols: protocolsOf(values.PROTOCOLS, () => values.AURORA_SECRET !== null),
    game: Object.freeze({
      /** The name that launchers show; null: the community's. */
      serverName: values.SERVER_NAME,
      /** Hosts of textures besides the public URL's. */
      skinDomains: Object.freeze(values.SKIN_DOMAINS ?? []),
      /** The shortest time between two sign-ins of an account by launchers; 0: none. */
      passwordIntervalMs: values.RATE_LIMIT_FACTOR === 0 ? 0 : values.YGGDRASIL_PASSWORD_INTERVAL_MS,
      checksAddress: values.YGGDRASIL_ADDRESS_CHECK,
    }),
    /** The file of a launch server's public key; null: it may not upload. */
    gravitKeyFile: values.GRAVIT_KEY_FILE,
    auroraSecret: values.AURORA_SECRET,
    webhooks: Object.freeze({
      urls: Object.freeze(values.WEBHOOK_URLS ?? []),
      /** Null: a key in the data folder. */
      secret: values.WEBHOOK_SECRET,
    }),
  };
}
