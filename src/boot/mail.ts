import { join } from "node:path";
import { fileMailer } from "../adapters/mail-file/file-mailer.ts";
import { mimeWriter } from "../adapters/mail-mime/mime-writer.ts";
import { smtpMailer } from "../adapters/mail-smtp/smtp-mailer.ts";
import type { SmtpServer } from "../adapters/mail-smtp/smtp-session.ts";
import { ownTexts } from "../domain/mail/compose.ts";
import { languages, type Language } from "../domain/model/mail.ts";
import type { Mailer, Sender } from "../domain/ports/mailer.ts";
import { replaceTexts } from "../domain/mail/replace-texts.ts";
import type { MailTexts, Templates } from "../domain/mail/templates.ts";
import { startMailOutbox } from "../jobs/mail-outbox.ts";
import { codeOf } from "../kernel/errors.ts";
import { limits } from "../kernel/limits.ts";
import type { Logger } from "../kernel/log.ts";
import { readPlainText } from "../kernel/plain-files.ts";
import { ConfigError, type Config } from "./config.ts";
import type { SmtpSetting } from "./config/mail-settings.ts";
import type { Secrets } from "./secrets.ts";
import type { Services } from "./services.ts";
import { subscriptionNames, unsubscribeLinks } from "./subscription-names.ts";

/** How mails speak of us, and what their Message-IDs end with: the community's name, else its website's host, and that host. */
export type MailNames = { readonly site: string; readonly messageDomain: string };

export function mailNames({ communityName }: Pick<Config, "communityName">, siteUrl: string): MailNames {
  const { hostname } = new URL(siteUrl);
  return { site: communityName ?? hostname, messageDomain: hostname };
}

/** Where mails leave: the mail server that is set, else files in the data folder. */
export function openMailer(config: Config, { messageDomain }: MailNames): Mailer {
  const { mail, dataDir } = config;
  const from = senderOf(config, messageDomain);
  const toMime = mimeWriter(from);
  if (mail.smtp === null) return fileMailer(join(dataDir, "mail"), toMime);
  return smtpMailer(smtpServer(mail.smtp), from.address, toMime);
}

/** The mail server with the password in clear, for who connects to it. */
export function smtpServer({ credentials, ...server }: SmtpSetting): SmtpServer {
  const login = credentials && { user: credentials.user, password: credentials.password.reveal() };
  return { ...server, credentials: login };
}

/**
 * Whom mails are from: MAIL_FROM, else nobody at the website's host, by the community's name where neither says another. A host
 * that is an address or has no dot is no mail domain.
 */
export function senderOf(
  { mail, communityName }: Pick<Config, "mail" | "communityName">,
  host: string,
): Sender {
  const isName = /^(?=.*[a-z])[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(host);
  const { name, address } = mail.from ?? { name: "", address: `noreply@${isName ? host : "localhost"}` };
  return { name: name === "" ? (communityName ?? "") : name, address };
}

/**
 * The words of mails: ours, or the operator's from `<data folder>/mail-templates/<language>.toml`. Throws `ConfigError`
 * with everything in the files that cannot be used.
 */
export async function loadMailTexts({ dataDir }: Config): Promise<MailTexts> {
  const faults: string[] = [];
  const load = async (language: Language): Promise<Templates> => {
    const path = join(dataDir, "mail-templates", `${language}.toml`);
    const { templates, faults: found } = replaceTexts(ownTexts[language], await readToml(path, faults));
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
    // Where the data folder is a file as well: whoever opens the folder says so.
    if (["ENOENT", "ENOTDIR"].includes(codeOf(cause) ?? "")) return {};
    faults.push(`${path} cannot be read: ${cause.message}`);
    return {};
  }
}

/** Sends the outbox until it is disposed of. */
export function startMail(options: {
  readonly config: Config;
  readonly services: Services;
  readonly secrets: Secrets;
  readonly texts: MailTexts;
  readonly publicUrl: string;
  readonly siteUrl: string;
  readonly log: Logger;
}): AsyncDisposable {
  const { config, services, texts, publicUrl, siteUrl, log } = options;
  const names = mailNames(config, siteUrl);
  const mailer = openMailer(config, names);
  const unsubscribeLink = unsubscribeLinks(publicUrl, subscriptionNames(options.secrets.jwt));
  const { perSecondMax } = config.mail;
  const sending = startMailOutbox({
    ...services,
    mailer,
    texts,
    ...names,
    unsubscribeLink,
    perSecondMax,
    log,
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await sending[Symbol.asyncDispose]();
      await mailer[Symbol.asyncDispose]();
    },
  };
}
