/** The statements of every migration by its name, oldest first. Written by `bun run db:generate`. */
import sql0000 from "./0000_first.sql" with { type: "text" };
import sql0001 from "./0001_mail.sql" with { type: "text" };
import sql0002 from "./0002_administration.sql" with { type: "text" };
import sql0003 from "./0003_search.sql" with { type: "text" };
import sql0004 from "./0004_social.sql" with { type: "text" };
import sql0005 from "./0005_findings.sql" with { type: "text" };
import sql0006 from "./0006_identity.sql" with { type: "text" };
import sql0007 from "./0007_players.sql" with { type: "text" };
import sql0008 from "./0008_console.sql" with { type: "text" };
import sql0009 from "./0009_texture_files.sql" with { type: "text" };
import sql0010 from "./0010_registration_passwords.sql" with { type: "text" };
import sql0011 from "./0011_offline_ids_and_shared_skins.sql" with { type: "text" };
import sql0012 from "./0012_held_by_player.sql" with { type: "text" };
import sql0013 from "./0013_moderator_lists.sql" with { type: "text" };
import sql0014 from "./0014_without_triggers.sql" with { type: "text" };
import sql0015 from "./0015_move_in.sql" with { type: "text" };

export const statements: Readonly<Record<string, string>> = {
  "0000_first": sql0000,
  "0001_mail": sql0001,
  "0002_administration": sql0002,
  "0003_search": sql0003,
  "0004_social": sql0004,
  "0005_findings": sql0005,
  "0006_identity": sql0006,
  "0007_players": sql0007,
  "0008_console": sql0008,
  "0009_texture_files": sql0009,
  "0010_registration_passwords": sql0010,
  "0011_offline_ids_and_shared_skins": sql0011,
  "0012_held_by_player": sql0012,
  "0013_moderator_lists": sql0013,
  "0014_without_triggers": sql0014,
  "0015_move_in": sql0015,
};
