import { auditExport } from "./audit-export.ts";
import { auditVerify } from "./audit-verify.ts";
import { backup } from "./backup.ts";
import { capeAdd } from "./cape-add.ts";
import { capeDelete } from "./cape-delete.ts";
import { capeGrant } from "./cape-grant.ts";
import { capeList } from "./cape-list.ts";
import { capeRevoke } from "./cape-revoke.ts";
import type { Command } from "./command.ts";
import { doctor } from "./doctor.ts";
import { fsck } from "./fsck.ts";
import { health } from "./health.ts";
import { mailList } from "./mail-list.ts";
import { mailRetry } from "./mail-retry.ts";
import { mailTest } from "./mail-test.ts";
import { mailTexts } from "./mail-texts.ts";
import { migrate } from "./migrate.ts";
import { render } from "./render.ts";
import { restore } from "./restore.ts";
import { serve } from "./serve.ts";
import { skinAdd } from "./skin-add.ts";
import { skinDelete } from "./skin-delete.ts";
import { skinList } from "./skin-list.ts";
import { textureBan } from "./texture-ban.ts";
import { textureBans } from "./texture-bans.ts";
import { textureUnban } from "./texture-unban.ts";
import { tokenCreate } from "./token-create.ts";
import { tokenList } from "./token-list.ts";
import { tokenRevoke } from "./token-revoke.ts";
import { userCreate } from "./user-create.ts";
import { userDelete } from "./user-delete.ts";
import { userList } from "./user-list.ts";
import { userSetLevel } from "./user-set-level.ts";
import { userSetPassword } from "./user-set-password.ts";
import { userShow } from "./user-show.ts";
import { versionCommand } from "./version.ts";

/** Every command, in the order of help. */
export const commands: readonly Command[] = [
  serve,
  migrate,
  userCreate,
  userList,
  userShow,
  userDelete,
  userSetPassword,
  userSetLevel,
  skinAdd,
  skinList,
  skinDelete,
  capeAdd,
  capeList,
  capeGrant,
  capeRevoke,
  capeDelete,
  textureBan,
  textureUnban,
  textureBans,
  tokenCreate,
  tokenList,
  tokenRevoke,
  mailList,
  mailRetry,
  mailTest,
  mailTexts,
  auditVerify,
  auditExport,
  backup,
  restore,
  fsck,
  doctor,
  health,
  render,
  versionCommand,
];
