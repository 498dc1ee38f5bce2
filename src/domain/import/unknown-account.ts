import type { SourceAccount } from "../ports/import-source.ts";

/** What is known of an account of which a source says nothing but that it is there. */
export const unknownAccount: Omit<SourceAccount, "key"> = {
  login: null,
  mail: null,
  mailVerified: false,
  password: null,
  level: 1,
  suspended: null,
  language: null,
  createdAt: null,
  lastSeenAt: null,
  playersMax: null,
  uuid: null,
};
