import type { Delivery, Mailer, MimeWriter } from "../../domain/mail/mailer.ts";
import { openSession, type Session, type SmtpServer } from "./smtp-session.ts";

/** A connection that nothing goes through is given back after this time: long before any server closes it. */
const idleMs = 5000;

/** Mails to an SMTP server. Connections are kept a moment for the next mail. */
export function smtpMailer(server: SmtpServer, from: string, toMime: MimeWriter): Mailer {
  const idle = new Map<Session, Timer>();

  const takeIdle = (): Session | null => {
    for (const [session, timer] of idle) {
      clearTimeout(timer);
      idle.delete(session);
      if (session.isOpen()) return session;
    }
    return null;
  };
  const keepIdle = (session: Session): void => {
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
      const session = takeIdle() ?? openSession(server);
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

/**
 * Only a 5xx about the mail itself (its sender, recipient or content) is for good; a refused sign-in or greeting is about
 * us, and an operator mends it. A connection that broke off leaves open whether the mail arrived: it is tried again
 * (RFC 5321 4.5.4.1).
 */
function failedDelivery(error: unknown): Delivery {
  const { code, response, responseCode } = factsOf(error);
  const aboutMail = code === "EENVELOPE" || code === "EMESSAGE";
  const message = error instanceof Error ? error.message : String(error);
  return {
    outcome: aboutMail && responseCode >= 500 ? "refused" : "deferred",
    reply: response === "" ? message : response,
  };
}

function factsOf(error: unknown): { code: string; response: string; responseCode: number } {
  const facts = error instanceof Error ? Object.fromEntries(Object.entries(error)) : {};
  return {
    code: typeof facts["code"] === "string" ? facts["code"] : "",
    response: typeof facts["response"] === "string" ? facts["response"] : "",
    responseCode: typeof facts["responseCode"] === "number" ? facts["responseCode"] : 0,
  };
}
