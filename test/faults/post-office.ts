import { simpleParser, type ParsedMail } from "mailparser";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";

/** A mail server that outlives the service: it takes every mail and remembers how often it took which. */
export type PostOffice = AsyncDisposable & {
  readonly port: number;
  /** How often each Message-ID was taken. */
  readonly taken: ReadonlyMap<string, number>;
  /** Reads one address's mail: each call gives the next code for the page that was not given before. */
  readonly readCodes: (address: string, page: CodePage) => () => Promise<string>;
  /** Resolves when all of these have been taken. */
  readonly hasAll: (messageIds: readonly string[]) => Promise<void>;
};

/** The page of the website that a mail's link leads to. */
export type CodePage = "confirm" | "resetpassword";

type Letter = {
  readonly messageId: string;
  readonly to: string;
  readonly page: string;
  readonly code: string;
};

/**
 * Between having a mail and saying so the server takes up to this long, in which a kill makes the sender
 * forget that the mail arrived. Without it the moment would be too short to be hit.
 */
const answerMsMax = 40;

export async function openPostOffice(random: () => number): Promise<PostOffice> {
  const letters: Letter[] = [];
  const taken = new Map<string, number>();
  let arrival = Promise.withResolvers<void>();
  const take = (mail: ParsedMail): void => {
    const letter = toLetter(mail);
    letters.push(letter);
    taken.set(letter.messageId, (taken.get(letter.messageId) ?? 0) + 1);
    arrival.resolve();
    arrival = Promise.withResolvers();
  };
  const server = await listen(async (mail) => {
    take(mail);
    await Bun.sleep(random() * answerMsMax);
  });

  return {
    port: server.port,
    taken,
    readCodes: (address, page) => {
      const given = new Set<string>();
      let at = 0;
      return async () => {
        for (;;) {
          const letter = letters[at];
          if (letter === undefined) {
            await arrival.promise;
            continue;
          }
          at += 1;
          if (letter.to !== address || letter.page !== page || given.has(letter.code)) continue;
          given.add(letter.code);
          return letter.code;
        }
      };
    },
    hasAll: async (messageIds) => {
      while (!messageIds.every((id) => taken.has(id))) await arrival.promise;
    },
    [Symbol.asyncDispose]: server.close,
  };
}

async function listen(take: (mail: ParsedMail) => Promise<void>) {
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    closeTimeout: 1000,
    onData: (stream, _, done) => void answer(stream, take, done),
  });
  // Killed clients break off wherever they are.
  server.on("error", () => undefined);
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address = server.server.address();
  if (typeof address !== "object" || address === null) throw new Error("The mail server does not listen");
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  return { port: address.port, close };
}

/** A message that breaks off with its sender was never taken. */
async function answer(
  stream: SMTPServerDataStream,
  take: (mail: ParsedMail) => Promise<void>,
  done: (error: Error | null, words?: string) => void,
): Promise<void> {
  try {
    await take(await simpleParser(stream));
    done(null, "2.0.0 taken");
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

function toLetter(mail: ParsedMail): Letter {
  const [to] = [mail.to ?? []].flat();
  const link = /\/(?<page>confirm|resetpassword)\?code=(?<code>[0-9A-Z]{5}-[0-9A-Z]{5})/.exec(
    mail.text ?? "",
  );
  return {
    messageId: (mail.messageId ?? "").replaceAll(/^<|>$/g, ""),
    to: to?.value[0]?.address ?? "",
    page: link?.groups?.["page"] ?? "",
    code: link?.groups?.["code"] ?? "",
  };
}
