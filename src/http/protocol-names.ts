/** What the operator can turn on and off with the setting PROTOCOLS, in the order of the documents. */
export const protocolNames = [
  "yggdrasil",
  "csl",
  "usm",
  "ely",
  "legacy",
  "avatars",
  "gravit",
  "aurora",
] as const;
/** Those by which launchers sign players in. */
export const signInProtocols = ["yggdrasil", "gravit", "aurora"] as const;
export type ProtocolName = (typeof protocolNames)[number];
