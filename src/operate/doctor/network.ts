import { isServed } from "../../adapters/sqlite/folder-lock.ts";
import { openSession } from "../../adapters/mail-smtp/smtp-session.ts";
import { askAddress, askOwnServer, placeText } from "../ask-server.ts";
import type { Config } from "../../boot/config.ts";
import { smtpServer } from "../../boot/mail.ts";
import { certificateRefusals } from "./certificate.ts";
import { ok, problem, reasonOf, warning, type Finding } from "./finding.ts";
import { withDatabase } from "./database.ts";

const clockSecondsMax = 30;

/** Connects to the mail server and signs in, without sending anything. */
export async function checkMailServer({ mail }: Config, signal: AbortSignal): Promise<readonly Finding[]> {
  if (mail.smtp === null) return [ok("none is set")];
  const session = openSession(smtpServer(mail.smtp));
  const place = `${mail.smtp.host}, port ${mail.smtp.port}`;
  try {
    await session.prepare(signal);
    session.quit();
    return [ok(`${place} takes our connection${mail.smtp.credentials === null ? "" : " and our password"}`)];
  } catch (cause) {
    session.close();
    return [
      problem(`${place}: ${reasonOf(cause)}`, "check SMTP_URL: host, port, smtp or smtps, user and password"),
    ];
  }
}

/** Who answers where this server listens, or would. */
export async function checkPort(config: Config, signal: AbortSignal): Promise<readonly Finding[]> {
  const { port, socketFile } = config;
  if (socketFile === null && port === 0) return [ok("a free one is taken at every start")];
  const place = placeText(config);
  const answer = await askOwnServer(config, "/health/live", signal);
  if (answer.state === "cloakroom") return [ok(`a cloakroom answers on ${place}`)];
  if (answer.state === "silent") return [silentFinding(config, place, answer.code)];
  const setting = socketFile === null ? "PORT" : "LISTEN_UNIX";
  return [problem(`something else answers on ${place}`, `end it, or choose another ${setting}`)];
}

function silentFinding({ dataDir }: Config, place: string, code: string): Finding {
  // A socket file has an owner and a mode; for a port the firewall may have rules.
  if (code === "EACCES" || code === "EPERM")
    return warning(`this user may not use ${place}`, "run doctor as the service's user");
  if (isServed(dataDir)) {
    const message = `a server uses ${dataDir}, and none answers on ${place}`;
    return problem(message, "give doctor the settings of that server, or end it: it listens somewhere else");
  }
  return warning(`no server answers on ${place}`, "start it: cloakroom serve");
}

/** Whether the public address leads to this server's data. */
export async function checkPublicUrl(config: Config, signal: AbortSignal): Promise<readonly Finding[]> {
  const { publicUrl } = config;
  if (publicUrl === null) return [ok("not set: players reach the server where it listens")];
  const answer = await askAddress(`${publicUrl}/health/live`, { signal });
  if (answer.state === "silent") {
    const refused = certificateRefusals[answer.code];
    if (refused !== undefined) return [problem(`${publicUrl} shows a certificate ${refused[0]}`, refused[1])];
    return [
      problem(
        `${publicUrl} does not answer: ${reasonOf(answer.cause)}`,
        "is the server running, and do name and proxy lead to it?",
      ),
    ];
  }
  if (answer.state === "other") {
    return [
      problem(
        `${publicUrl} answers, but not as cloakroom (status ${answer.status})`,
        "set PUBLIC_URL to what the proxy hands on to this server, path included",
      ),
    ];
  }
  return [...clockFinding(answer.date), await sameData(config, publicUrl, signal)];
}

async function sameData(config: Config, publicUrl: string, signal: AbortSignal): Promise<Finding> {
  const [finding] = await withDatabase(config, async (inspection) => {
    const [texture] = inspection.sampleTextures(1);
    if (texture === undefined) return [ok(`${publicUrl} answers as cloakroom`)];
    const answer = await fetch(`${publicUrl}/textures/${texture.hash}`, {
      method: "HEAD",
      redirect: "manual",
      signal,
    });
    if (answer.headers.get("etag") === `"${texture.digest}"`)
      return [ok(`${publicUrl} leads to this server`)];
    return [
      problem(
        `${publicUrl} leads to a cloakroom with other data`,
        "check DATA_DIR, and where the proxy leads",
      ),
    ];
  });
  return finding ?? ok(`${publicUrl} answers as cloakroom`);
}

function clockFinding(date: number | null): readonly Finding[] {
  const seconds = date === null ? 0 : Math.abs(Math.round((Date.now() - date) / 1000));
  if (seconds <= clockSecondsMax) return [];
  return [warning(`its clock and this machine's differ by ${seconds} seconds`, "set both with NTP")];
}
