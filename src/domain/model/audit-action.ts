/** Every action that the audit records: dotted, the noun first. The console has words for each. */
export const auditActions = [
  "audit.export",
  "cape.delete",
  "cape.expire",
  "cape.grant",
  "cape.upload",
  "key.rotate",
  "mail.bulk",
  "mail.retry",
  "mail.test",
  "player.create",
  "player.delete",
  "player.update",
  "role.expire",
  "role.set",
  "secret.rotate",
  "session.end",
  "session.end-all",
  "skin.delete",
  "skin.update",
  "skin.upload",
  "texture.ban",
  "texture.unban",
  "token.create",
  "token.revoke",
  "user.create",
  "user.delete",
  "user.rename",
  "user.update",
] as const;

/** An action that the audit records. */
export type AuditAction = (typeof auditActions)[number];
