import { openSession } from "../../adapters/mail-smtp/smtp-session.ts";
import { isServed } from "../../adapters/sqlite/folder-lock.ts";
import type { Config } from "../../boot/config.ts";
import { findPortFault, findSocketFault } from "../../boot/listen-faults.ts";
import { smtpServer } from "../../boot/mail.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import { askOwnServer, placeText } from "../ask-server.ts";
import { certificateRefusal } from "./certificate-refusals.ts";
import { failure, ok, problem, reasonOf, warning, type Finding, type Subject } from "./finding.ts";

/** Connects to the mail server and signs in, without sending anything. */
export async function* checkMailServer(
  { config }: Subject,
  signal: AbortSignal,
): AsyncIterable<CodedFinding> {
  const { smtp } = config.mail;
  if (smtp === null) {
    yield found("mail_server_unset");
    return;
  }
  const session = openSession(smtpServer(smtp));
  const place = `${smtp.host}, port ${smtp.port}`;
  try {
    await session.prepare(signal);
    session.quit();
    yield found("mail_server_accepts", { place, password: smtp.credentials !== null });
  } catch (cause) {
    session.close();
    yield certificateRefusal(cause, { by: place, setting: "SMTP_URL", own: false }) ??
      found("mail_server_refuses", { place, reason: reasonOf(cause) });
  }
}

/** What answers where this server listens, or whether it could listen there. */
export async function* checkPort({ config, folder }: Subject, signal: AbortSignal): AsyncIterable<Finding> {
  const { port, socketFile, metrics } = config;
  const isRunning = isServed(folder.path);
  if (metrics !== null && metrics.port !== 0 && !isRunning)
    yield* refusalOf(await findPortFault(metrics, "--metrics-port"));
  if (socketFile === null && port === 0) {
    yield ok("each start takes a free one");
    return;
  }
  const place = placeText(config);
  const answer = await askOwnServer(config, "/health/live", signal);
  if (answer.state === "cloakroom") {
    // Several nodes may serve one database of PostgreSQL; a data folder says whether a server uses it.
    const isOther = config.database === null && !isRunning;
    yield* isOther ? refusalOf(await findListenFault(config)) : [ok(`a cloakroom answers on ${place}`)];
  } else if (answer.state === "silent") {
    const fault = isRunning || noAccess.has(answer.code) ? null : await findListenFault(config);
    if (fault === null) yield silentFinding(folder.path, place, answer.code);
    else yield* refusalOf(fault);
  } else
    yield problem(
      `something else answers on ${place}`,
      `end it, or choose another ${socketFile === null ? "PORT" : "LISTEN_UNIX"}`,
    );
}

function findListenFault({ socketFile, host, port }: Config): Promise<Error | null> {
  return socketFile === null ? findPortFault({ host, port }, "--port") : findSocketFault(socketFile);
}

function* refusalOf(fault: Error | null): Iterable<Finding> {
  if (fault !== null) yield failure(reasonOf(fault), fault);
}

/** A socket file has an owner and a mode; a firewall may have rules for a port. */
const noAccess: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);

function silentFinding(dataDir: string, place: string, code: string): Finding {
  if (noAccess.has(code))
    return warning(`this user may not use ${place}`, "run doctor as the service's user");
  if (isServed(dataDir)) {
    const message = `a server uses ${dataDir}, but no server answers on ${place}`;
    return problem(message, "give doctor the settings of that server, or end it: it listens somewhere else");
  }
  return warning(`no server answers on ${place}`, "start it: cloakroom serve");
}
