import type { Delivery, Mailer, MimeWriter } from "../../domain/ports/mailer.ts";
import { networkReason } from "../../kernel/network-reasons.ts";
import type { SmtpServer, SmtpSession } from "./smtp-session.ts";

/** An idle connection is closed after this time, long before any server closes it. */
const idleMs = 5000;

/** Sends mails to an SMTP server. Connections stay open for a moment for the next mail. */
export function smtpMailer(server: SmtpServer, from: string, toMime: MimeWriter): Mailer {
  const idle = new Map<SmtpSession, Timer>();

  const takeIdle = (): SmtpSession | null => {
    for (const [session, timer] of idle) {
      clearTimeout(timer);
      idle.delete(session);
      if (session.isOpen()) return session;
    }
    return null;
  };
  const keepIdle = (session: SmtpSession): void => {
    const timer = setTimeout(() => {
      idle.delete(session);
      session.quit();
    }, idleMs);
    timer.unref();
    idle.set(session, timer);
  };

  return {
    deliver: async (mail, signal) => {
      const message = await toMime(mail);
      const session = takeIdle() ?? (await openSession(server));
      try {
        const reply = await session.send({ from, to: mail.to, message }, signal);
        keepIdle(session);
        return { outcome: "accepted", reply };
      } catch (error) {
        session.close();
        return failedDelivery(error);
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (let session = takeIdle(); session !== null; session = takeIdle()) session.quit();
    },
  };
}

/** The protocol is loaded for the first mail, as the writer of messages is. */
async function openSession(server: SmtpServer): Promise<SmtpSession> {
  const { openSession: open } = await import("./smtp-session.ts");
  return open(server);
}

/**
 * Only a 5xx about this mail, its recipient or its content is final. A refusal that is about us waits until
 * an operator has fixed its cause, so that no code and no bulk mail is lost. After an interrupted connection
 * it is unknown whether the mail arrived: it is sent again (RFC 5321 4.5.4.1).
 */
function failedDelivery(error: unknown): Delivery {
  const facts = factsOf(error);
  const message = networkReason(error) ?? (error instanceof Error ? error.message : String(error));
  return {
    outcome: facts.responseCode >= 500 && isAboutMail(facts) ? "refused" : "deferred",
    reply: facts.response === "" ? message : facts.response,
  };
}

/**
 * Sign-in is missing or was refused (RFC 4954 4 and 6); some servers answer with 503, bad sequence of
 * commands.
 */
const signInCodes: ReadonlySet<number> = new Set([503, 530, 534, 535, 538]);
/** About the sender's address, our quota (RFC 3463), our SPF, DKIM or reverse DNS (RFC 7372). */
const aboutSender = /^5\d\d[ -]5\.(?:1\.[78]|4\.5|7\.2\d)\b/;
/** Security and policy (RFC 3463). */
const aboutPolicy = /^5\d\d[ -]5\.7\./;

/**
 * A refused greeting, sign-in or MAIL FROM is about us. Many servers refuse the client or the sender only at
 * RCPT TO, so before the content a policy refusal is about us as well; after it, it is about the content.
 */
function isAboutMail({ code, command, response, responseCode }: Facts): boolean {
  if (signInCodes.has(responseCode) || aboutSender.test(response)) return false;
  if (code === "EMESSAGE") return true;
  return code === "EENVELOPE" && command !== "MAIL FROM" && !aboutPolicy.test(response);
}

type Facts = ReturnType<typeof factsOf>;

/** Nodemailer's fields of an error: EENVELOPE means refused before the content, EMESSAGE after it. */
function factsOf(error: unknown) {
  const facts = error instanceof Error ? Object.fromEntries(Object.entries(error)) : {};
  const text = (name: string): string => (typeof facts[name] === "string" ? facts[name] : "");
  return {
    code: text("code"),
    command: text("command"),
    response: text("response"),
    responseCode: typeof facts["responseCode"] === "number" ? facts["responseCode"] : 0,
  };
}
