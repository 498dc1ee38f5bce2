import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { simpleParser, type ParsedMail } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A real SMTP server on the loopback address that parses what it takes. */
export type MailServer = AsyncDisposable & {
  readonly port: number;
  readonly mails: ParsedMail[];
  /** Resolves when it has taken so many mails. */
  readonly has: (count: number) => Promise<void>;
};

export async function openMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ParsedMail[] = [];
  const watchers = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    closeTimeout: 1000,
    onData: async (stream, _, done) => {
      mails.push(await simpleParser(stream));
      done(null, "2.0.0 taken");
      for (const watcher of watchers) watcher();
    },
    ...options,
  });
  // Clients that break off in the middle of a handshake are what some tests are about.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    port: portOf(server.server),
    mails,
    has: (count) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (mails.length >= count) resolve();
      };
      watchers.add(look);
      look();
      return promise;
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** What a scripted server answers to a line that begins with the key; `null` drops the connection. */
export type Script = Readonly<Record<string, string | null>>;

/**
 * A server that keeps to a script where a well-behaved one would not: keys are beginnings of lines,
 * `greeting` what comes first, `body` what happens at the first line after DATA. What the script leaves out
 * is answered as usual; `silence` never. `reached` resolves when the script is first followed, `left` when a
 * client's connection has ended.
 */
export async function openScriptedServer(script: Script): Promise<
  AsyncDisposable & {
    readonly port: number;
    readonly reached: Promise<void>;
    readonly left: Promise<void>;
  }
> {
  const left = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const answers: Script = {
    greeting: "220 ready",
    EHLO: "250-here\r\n250 8BITMIME",
    "MAIL FROM": "250 fine",
    "RCPT TO": "250 fine",
    DATA: "354 go on",
    QUIT: "221 bye",
    ...script,
  };
  const say = (socket: Socket, key: string) => {
    const answer = answers[key];
    if (Object.hasOwn(script, key)) reached.resolve();
    if (answer === null) socket.destroy();
    else if (answer !== undefined && answer !== "silence") socket.write(`${answer}\r\n`);
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let inBody = false;
    socket.on("error", () => undefined);
    socket.on("close", () => left.resolve());
    socket.on("data", (chunk) => {
      for (const line of chunk
        .toString()
        .split("\r\n")
        .filter((line) => line !== "")) {
        if (inBody) {
          if (line === ".") socket.write("250 taken\r\n");
          else if (Object.hasOwn(script, "body")) return say(socket, "body");
          continue;
        }
        say(socket, Object.keys(answers).find((key) => line.toUpperCase().startsWith(key)) ?? "");
        inBody = line.toUpperCase() === "DATA" && (answers["DATA"] ?? "").startsWith("354");
      }
    });
    say(socket, "greeting");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server),
    reached: reached.promise,
    left: left.promise,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function portOf(server: Pick<Server, "address">): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server does not listen");
  return address.port;
}
