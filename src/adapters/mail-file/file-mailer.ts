import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Mailer, MimeWriter, OutgoingMail } from "../../domain/ports/mailer.ts";
import { makeFolder, moveInto, writeNew } from "../../kernel/durable-files.ts";

/**
 * Writes mails to files that mail programs open: `<folder>/<time>-<number>.eml`, readable by the owner only.
 * A mail that is sent again replaces its file.
 */
export function fileMailer(folder: string, toMime: MimeWriter): Mailer {
  return {
    deliver: async (mail) => {
      const path = join(folder, fileName(mail));
      try {
        await makeFolder(folder);
        await writeComplete(path, await toMime(mail));
        return { outcome: "accepted", reply: `written to ${path}` };
      } catch (error) {
        return { outcome: "deferred", reply: error instanceof Error ? error.message : String(error) };
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Without colons, which Windows does not allow. */
function fileName({ date, name }: OutgoingMail): string {
  const time = new Date(date * 1000).toISOString().slice(0, 19).replaceAll(":", "-");
  return `${time}-${name}.eml`;
}

/**
 * Writes a draft and renames it, so that no program opens half a mail. Durably: the outbox then drops the
 * mail's content.
 */
async function writeComplete(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.draft`;
  // A killed process may have left one.
  await rm(draft, { force: true });
  await writeNew(draft, bytes);
  try {
    await moveInto(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
