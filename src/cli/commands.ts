import { readCommit, version } from "../boot/version.ts";
import { json } from "./arguments.ts";
import { auditExport, auditVerify } from "./audit.ts";
import { backup, restore } from "./backup.ts";
import { capeAdd, capeDelete, capeGrant, capeList, capeRevoke } from "./cape.ts";
import { command, type Command } from "./command.ts";
import { doctor, health } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { fsck, migrate } from "./folder.ts";
import { importCommand } from "./import.ts";
import { keyRotate, keyShow } from "./key.ts";
import { move } from "./move.ts";
import { mailList, mailRetry, mailTest, mailTexts } from "./mail.ts";
import { nodes } from "./nodes.ts";
import { factsText } from "./output.ts";
import { playerCreate, playerDelete, playerList, playerSet, playerShow } from "./player.ts";
import { render } from "./render.ts";
import { secretRotate } from "./secret.ts";
import { serve } from "./serve.ts";
import { skinAdd, skinDelete, skinList } from "./skin.ts";
import { textureBan, textureBans, textureUnban } from "./texture.ts";
import { tokenCreate, tokenList, tokenRevoke } from "./token.ts";
import {
  userCreate,
  userDelete,
  userSetLevel,
  userSetPassword,
  userSetPlayersMax,
  userShow,
} from "./user.ts";
import { userList } from "./user-list.ts";
import { userSuspend, userUnsuspend } from "./suspension.ts";
import { webhookList, webhookRetry, webhookSecret } from "./webhook.ts";

const versionCommand = command({
  name: "version",
  summary: "prints version, commit, Bun version and platform",
  settings: "none",
  options: { json },
  run: async () => {
    const platform = `${process.platform}-${process.arch}`;
    const facts = { version, commit: readCommit(), bun: Bun.version, platform };
    return { record: facts, text: factsText(facts) };
  },
});

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
  userSetPlayersMax,
  userSuspend,
  userUnsuspend,
  playerCreate,
  playerList,
  playerShow,
  playerSet,
  playerDelete,
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
  keyShow,
  keyRotate,
  secretRotate,
  nodes,
  mailList,
  mailRetry,
  mailTest,
  mailTexts,
  webhookList,
  webhookRetry,
  webhookSecret,
  auditVerify,
  auditExport,
  backup,
  restore,
  exportCommand,
  move,
  importCommand,
  fsck,
  doctor,
  health,
  render,
  versionCommand,
];
