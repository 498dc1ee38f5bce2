/**
 * A process that changes a player, its skin and its account in one transaction, says so, and never comes to
 * the end of it.
 */
import { loadConfig } from "../../src/boot/config.ts";
import { dataFolder } from "../../src/boot/data-folder.ts";
import { openEngine } from "../../src/boot/engines.ts";
import { nameKey } from "../../src/domain/model/username.ts";

const { config } = await loadConfig({
  flags: {},
  environment: process.env,
  file: null,
  logsToTerminal: false,
  serving: false,
});
const { engine } = await openEngine(config, dataFolder(config.dataDir), { clock: null, serving: null });
const name = process.argv[2] ?? "";
await engine.atomically(async ({ players, accounts, textures }) => {
  const player = await players.findLook({ by: "name", value: nameKey(name) });
  if (player === null) throw new Error(`there is no ${name}`);
  const { id, accountId } = player.player;
  await players.selectSkin(id, null);
  await players.renamePlayer(id, "Never_Named");
  for (const skin of await textures.listSkins(accountId)) await textures.deleteSkin(skin.id);
  await accounts.deleteAccount(accountId);
  process.send?.("written");
  await Bun.sleep(60_000);
});
