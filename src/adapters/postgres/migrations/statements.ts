/** The statements of every migration by its name, oldest first. Written by `bun run db:generate`. */
import sql0000 from "./0000_first.sql" with { type: "text" };
import sql0001 from "./0001_registration_passwords.sql" with { type: "text" };
import sql0002 from "./0002_node_settings.sql" with { type: "text" };
import sql0003 from "./0003_offline_ids_and_shared_skins.sql" with { type: "text" };
import sql0004 from "./0004_held_by_player.sql" with { type: "text" };
import sql0005 from "./0005_moderator_lists.sql" with { type: "text" };
import sql0006 from "./0006_move_in.sql" with { type: "text" };

export const statements: Readonly<Record<string, string>> = {
  "0000_first": sql0000,
  "0001_registration_passwords": sql0001,
  "0002_node_settings": sql0002,
  "0003_offline_ids_and_shared_skins": sql0003,
  "0004_held_by_player": sql0004,
  "0005_moderator_lists": sql0005,
  "0006_move_in": sql0006,
};
