import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Mailer, MimeWriter, OutgoingMail } from "../../domain/ports/mailer.ts";
import { makeFolder, moveInto, writeNew } from "../../kernel/durable-files.ts";

/**
 * Mails into files that mail programs open: `<folder>/<time>-<number>.eml`, for their owner alone. Sent again, a mail
 * replaces its file.
 */
export function fileMailer(folder: string, toMime: MimeWriter): Mailer {
  return {
    deliver: async (mail) => {
      const path = join(folder, fileName(mail));
      try {
        await makeFolder(folder);
        await writeWhole(path, await toMime(mail));
        return { outcome: "accepted", reply: `written to ${path}` };
      } catch (error) {
        return { outcome: "deferred", reply: error instanceof Error ? error.message : String(error) };
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Without colons, which Windows does not take. */
function fileName({ date, name }: OutgoingMail): string {
  const time = new Date(date * 1000).toISOString().slice(0, 19).replaceAll(":", "-");
  return `${time}-${name}.eml`;
}

/** Written beside its place and renamed, so that nobody opens half a mail. For good: the outbox forgets what it was about. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.draft`;
  // What a killed process left would be in the way.
  await rm(draft, { force: true });
  await writeNew(draft, bytes);
  try {
    await moveInto(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
