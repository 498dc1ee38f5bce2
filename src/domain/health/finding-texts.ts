import { backupFindings } from "./backup-texts.ts";
import { certificateFindings } from "./certificate-texts.ts";
import { addressFindings } from "./address-texts.ts";
import { machineFindings } from "./machine-texts.ts";
import { nodeFindings } from "./node-texts.ts";
import { settingFindings } from "./setting-texts.ts";
import type { FindingText } from "./finding-text.ts";

type Reason = { readonly reason: string };

const seeLog = "the server's log says why; cloakroom doctor says what to do";

/** What the readiness says of parts that no other check looks at while the server runs. */
const readinessFindings = {
  database_written: { state: "ok", text: "it can be written" },
  database_unwritable: {
    state: "problem",
    text: "it cannot be written: changes are refused",
    remedy: seeLog,
  },
  textures_written: { state: "ok", text: "they can be written" },
  textures_unwritable: {
    state: "problem",
    text: "they cannot be written: uploads fail",
    remedy: seeLog,
  },
  mails_leave: { state: "ok", text: "mails to one person leave in time" },
  mails_stuck: {
    state: "problem",
    text: "mails do not leave",
    remedy: "look at the outbox, and at what the mail server replied",
  },
} as const satisfies Readonly<Record<string, FindingText>>;

/** What may become of any check. */
const checkFindings = {
  check_failed: {
    state: "problem",
    text: ({ reason }: Reason) => reason,
    remedy: ({ remedy }: { remedy: string }) => remedy,
  },
  check_late: {
    state: "problem",
    text: ({ seconds }: { seconds: number }) => `no answer within ${seconds} seconds`,
    remedy: "correct what it names, then run doctor again",
  },
  file_refused: {
    state: "problem",
    text: ({ reason }: Reason) => reason,
    remedy: "correct or delete the file",
  },
} as const satisfies Readonly<Record<string, FindingText>>;

/** What checks can find that staff see on the overview, by code. */
export const findingTexts = {
  ...settingFindings,
  ...machineFindings,
  ...nodeFindings,
  ...addressFindings,
  ...certificateFindings,
  ...backupFindings,
  ...readinessFindings,
  ...checkFindings,
} as const;
