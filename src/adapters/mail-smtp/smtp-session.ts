import SMTPConnection from "nodemailer/lib/smtp-connection";
import { isLoopbackHost } from "../../kernel/ip-address.ts";

/** Where and as whom mails are handed over. */
export type SmtpServer = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (smtps); otherwise STARTTLS where it is offered. */
  readonly secure: boolean;
  readonly credentials: { readonly user: string; readonly password: string } | null;
};

/** One connection to a mail server, for one mail after the other. */
export type Session = {
  /**
   * Hands a mail over and resolves to the server's words when it has taken it. Connects and signs in first where that is
   * still to do. Rejects with the connection's error, or the signal's reason: then the connection is closed.
   */
  readonly send: (
    mail: { readonly from: string; readonly to: string; readonly message: Uint8Array },
    signal: AbortSignal,
  ) => Promise<string>;
  /** Connects and signs in where that is still to do. Rejects as `send` does. */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
  readonly isOpen: () => boolean;
  /** Says good-bye, and closes when that is answered; after a second at the latest. */
  readonly quit: () => void;
  readonly close: () => void;
};

const connectMs = 10_000;
/** A server that is silent for so long is given up. */
const silenceMs = 30_000;
/** The mails are with the server by then, so nobody waits for its good-bye, and least of all the end of the process. */
const quitMs = 1000;

type Done<T> = (error: Error | null | undefined, value?: T) => void;

/** A session that connects when its first mail goes. */
export function openSession(server: SmtpServer): Session {
  const connection = new SMTPConnection(optionsOf(server));
  // Errors reach whoever waits; one that nobody waits for (an idle connection's) only ends the connection.
  connection.on("error", () => undefined);
  let ready = false;

  /** Runs one step of the conversation; an error of the connection or the signal ends it. */
  const step = async <T>(signal: AbortSignal, run: (done: Done<T>) => void): Promise<T | undefined> => {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
    const abort = () => reject(signal.reason);
    const ended = () => reject(new Error("The connection was closed"));
    signal.addEventListener("abort", abort);
    connection.once("error", reject);
    connection.once("end", ended);
    run((error, value) => (error ? reject(error) : resolve(value)));
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", abort);
      connection.off("error", reject);
      connection.off("end", ended);
    }
  };

  const prepare = async (signal: AbortSignal): Promise<void> => {
    if (ready) return;
    await step(signal, (done) => connection.connect(done));
    await signIn(server, (auth) => step(signal, (done) => connection.login(auth, done)));
    ready = true;
  };

  return {
    prepare,
    send: async ({ from, to, message }, signal) => {
      await prepare(signal);
      const envelope = { from, to: [to], size: message.length };
      const sent = await step<{ response: string }>(signal, (done) =>
        connection.send(envelope, Buffer.from(message), done),
      );
      return sent?.response ?? "";
    },
    isOpen: () => ready && !connection.destroyed,
    quit: () => {
      connection.quit();
      setTimeout(() => connection.close(), quitMs).unref();
    },
    close: () => connection.close(),
  };
}

function optionsOf({ host, port, secure, credentials }: SmtpServer) {
  const local = isLoopbackHost(host);
  return {
    host,
    port,
    secure,
    // Who signs in insists on TLS, lest somebody between takes the offer away and reads the password.
    requireTLS: !secure && credentials !== null && !local,
    // Nobody stands between us and this machine, and the mail servers on it have home-made certificates.
    tls: { rejectUnauthorized: !local },
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    // Closing cuts: whatever is unfinished must not go on behind our back.
    socketCloseTimeout: 0,
  };
}

async function signIn(
  { credentials }: SmtpServer,
  login: (auth: { credentials: { user: string; pass: string } }) => Promise<unknown>,
): Promise<void> {
  if (credentials === null) return;
  await login({ credentials: { user: credentials.user, pass: credentials.password } });
}
