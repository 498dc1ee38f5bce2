import { join } from "node:path";
import { fileMailer } from "../adapters/mail-file/file-mailer.ts";
import { mimeWriter } from "../adapters/mail-mime/mime-writer.ts";
import { smtpMailer } from "../adapters/mail-smtp/smtp-mailer.ts";
import type { SmtpServer } from "../adapters/mail-smtp/smtp-session.ts";
import { coloursOf, type MailColours } from "../domain/mail/html.ts";
import { languages, type Language } from "../domain/model/mail.ts";
import type { Mailer, Mailbox } from "../domain/ports/mailer.ts";
import { replaceTexts } from "../domain/mail/replace-texts.ts";
import type { MailTexts, Templates } from "../domain/mail/templates.ts";
import { playPageOf } from "../http/community-name.ts";
import { serverWords } from "../words/server.ts";
import { codeOf } from "../kernel/errors.ts";
import { limits } from "../kernel/limits.ts";
import { readPlainText } from "../kernel/plain-files.ts";
import { ConfigError, type Config } from "./config.ts";
import type { SmtpSetting } from "./config/kinds.ts";
import { dataFolder } from "./data-folder.ts";

/**
 * What mails show of the community. `site` is its name: COMMUNITY_NAME, or else the host of its website, with
 * which Message-IDs end. `look` has its accent. `play` is the page with the steps for launchers; null: there
 * is none, or no launcher can sign in.
 */
export type Letterhead = {
  readonly site: string;
  readonly look: MailColours;
  readonly play: string | null;
  readonly messageDomain: string;
};

export function letterheadOf(
  { communityName, accent, ...pages }: Pick<Config, "communityName" | "accent" | "console" | "protocols">,
  siteUrl: string,
): Letterhead {
  const { hostname } = new URL(siteUrl);
  const play = playPageOf({ ...pages, siteUrl: () => siteUrl });
  return { site: communityName ?? hostname, look: coloursOf(accent), play, messageDomain: hostname };
}

/** Sends mails to the mail server that is set, or else writes them to files in the data folder. */
export function openMailer(config: Config, { messageDomain }: Letterhead): Mailer {
  const { mail, dataDir } = config;
  const from = senderOf(config, messageDomain);
  const toMime = mimeWriter(from);
  if (mail.smtp === null) return fileMailer(dataFolder(dataDir).mails, toMime);
  return smtpMailer(smtpServer(mail.smtp), from.address, toMime);
}

/** The mail server with the password in clear, as a connection needs it. */
export function smtpServer({ credentials, ...server }: SmtpSetting): SmtpServer {
  const login = credentials && { user: credentials.user, password: credentials.password.reveal() };
  return { ...server, credentials: login };
}

/**
 * The sender of mails: MAIL_FROM, or else noreply at the website's host, with the community's name if
 * MAIL_FROM has none. A host that is an IP address or has no dot is not a mail domain.
 */
export function senderOf(
  { mail, communityName }: Pick<Config, "mail" | "communityName">,
  host: string,
): Mailbox {
  const isName = /^(?=.*[a-z])[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(host);
  const { name, address } = mail.from ?? { name: "", address: `noreply@${isName ? host : "localhost"}` };
  return { name: name === "" ? (communityName ?? "") : name, address };
}

/**
 * The texts of mails: the built-in ones, replaced where the operator's `mail-templates/<language>.toml` has
 * others. Throws `ConfigError` with every fault in these files.
 */
export async function loadMailTexts({ dataDir }: Pick<Config, "dataDir">): Promise<MailTexts> {
  const { mailTemplates } = dataFolder(dataDir);
  const faults: string[] = [];
  const load = async (language: Language): Promise<Templates> => {
    const path = join(mailTemplates, `${language}.toml`);
    const { templates, faults: found } = replaceTexts(
      serverWords[language].mails,
      await readToml(path, faults),
    );
    faults.push(...found.map((fault) => `mail-templates/${language}.toml: ${fault}`));
    return templates;
  };
  const loaded = await Promise.all(
    languages.map(async (language) => [language, await load(language)] as const),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.fromEntries(loaded) as MailTexts; // made from `languages`, which `Language` is made from
}

async function readToml(path: string, faults: string[]): Promise<Readonly<Record<string, unknown>>> {
  try {
    return { ...Bun.TOML.parse(await readPlainText(path, limits.operatorFileBytesMax)) };
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    // ENOTDIR also if the data folder is a file; opening the folder reports that.
    if (["ENOENT", "ENOTDIR"].includes(codeOf(cause) ?? "")) return {};
    faults.push(`${path} cannot be read: ${cause.message}`);
    return {};
  }
}
