import SMTPConnection from "nodemailer/lib/smtp-connection";
import { isLoopbackHost } from "../../kernel/ip-address.ts";

/** The mail server and our account there. */
export type SmtpServer = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (smtps); otherwise STARTTLS where the server offers it. */
  readonly secure: boolean;
  readonly credentials: { readonly user: string; readonly password: string } | null;
};

/** One connection to a mail server, for one mail after another. */
export type SmtpSession = {
  /**
   * Sends a mail and resolves to the server's reply once the server has accepted it. Connects and signs in
   * first if needed. Rejects with the connection's error, or the signal's reason; the connection is then
   * closed.
   */
  readonly send: (
    mail: { readonly from: string; readonly to: string; readonly message: Uint8Array },
    signal: AbortSignal,
  ) => Promise<string>;
  /** Connects and signs in if needed. Rejects as `send` does. */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
  readonly isOpen: () => boolean;
  /** Sends QUIT, and closes at the answer or after a second. */
  readonly quit: () => void;
  readonly close: () => void;
};

const connectMs = 10_000;
/** How long a server may stay silent. */
const silenceMs = 30_000;
/** The server has the mails by then, so a missing answer to QUIT must not delay the end of the process. */
const quitMs = 1000;

type Done<T> = (error: Error | null | undefined, value?: T) => void;

/** Makes a session that connects when its first mail is sent. */
export function openSession(server: SmtpServer): SmtpSession {
  const connection = new SMTPConnection(optionsOf(server));
  // Errors reach the waiting step; an error while no step runs (an idle connection's) only ends the
  // connection.
  connection.on("error", () => undefined);
  let ready = false;

  /** Runs one step of the protocol; an error of the connection or the signal ends it. */
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
    // With a password TLS is required, so that an attacker in between cannot hide the server's offer and read
    // the password.
    requireTLS: !secure && credentials !== null && !local,
    // Connections within this machine need no check, and mail servers on it have self-signed certificates.
    tls: { rejectUnauthorized: !local },
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    // Closes at once: unfinished work must not go on unnoticed.
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
