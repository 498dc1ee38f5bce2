/*
 * A network before PostgreSQL that reads its protocol (version 3, without TLS): a chosen statement is
 * answered with an error, or its connection is reset before the server hears it, or once the server has
 * carried it out. https://www.postgresql.org/docs/18/protocol-message-formats.html
 */
import { openFaultProxy, type FaultProxy, type Filter, type Link } from "./fault-proxy.ts";

export type StatementFault =
  /**
   * It fails with this SQLSTATE as if the server had said so: the transaction is aborted, or rolled back at
   * COMMIT.
   */
  | { readonly sqlState: string }
  /** The connection is reset, and the server never hears of it. */
  | "reset"
  /** The server carries it out, and the connection is reset instead of the answer. */
  | "loseAnswer"
  /** The server carries it out, and the answer never comes. */
  | "stallAnswer";

/**
 * Called with the text of each statement that is about to run, and the connection it came by; null: it runs.
 */
export type OnStatement = (text: string, link: Link) => StatementFault | null;

export type PostgresProxy = FaultProxy & {
  /** The address through the proxy. */
  readonly url: string;
  /** Replaces what is done with statements. */
  readonly onStatement: (choose: OnStatement) => void;
};

/**
 * Opens a proxy before the server of the address, through which every statement runs until a test says
 * otherwise.
 */
export async function openPostgresProxy(url: string): Promise<PostgresProxy> {
  let choose: OnStatement = runAll;
  const { hostname, port } = new URL(url);
  const proxy = await openFaultProxy({
    target: { host: hostname, port: Number(port || "5432") },
    filter: (link) => statementFilter(link, (text) => choose(text, link)),
  });
  const through = new URL(url);
  through.hostname = "127.0.0.1";
  through.port = String(proxy.port);
  return { ...proxy, url: through.href, onStatement: (next) => void (choose = next) };
}

const runAll: OnStatement = () => null;

type Message = {
  /** One letter; empty for the first messages of a connection, which have no type. */
  readonly type: string;
  readonly body: Buffer;
  /** All of it, as it came. */
  readonly bytes: Buffer;
};

function statementFilter(link: Link, choose: (text: string) => StatementFault | null): Filter {
  const fromClient = messageReader("untyped");
  const fromServer = messageReader("typed");
  /** The texts of prepared statements, by name. */
  const prepared = new Map<string, string>();
  /** The client's messages up to its Sync belong to a statement that has failed. */
  let isSkipping = false;
  let answers: "pass" | "reset" | "stall" = "pass";
  /** Made by the proxy's own ROLLBACK, of which the client knows nothing. */
  let hiddenAnswers = 0;

  const fail = (text: string, sqlState: string) => {
    const endsTransaction = isCommit(text);
    if (endsTransaction) hiddenAnswers += 1;
    link.toServer(queryMessage(`${endsTransaction ? "ROLLBACK; " : ""}${raising(sqlState)}`));
  };
  const run = ({ type, bytes }: Message, text: string) => {
    const fault = choose(text);
    if (fault === "reset") return link.reset();
    if (fault === "loseAnswer") answers = "reset";
    if (fault === "stallAnswer") answers = "stall";
    if (fault === null || typeof fault === "string") return link.toServer(bytes);
    isSkipping = type === "B";
    fail(text, fault.sqlState);
  };
  const onMessage = (message: Message) => {
    const { type, body, bytes } = message;
    if (isSkipping) {
      isSkipping = type !== "S";
      return;
    }
    const [first = "", second = ""] = texts(body);
    if (type === "P") prepared.set(first, second);
    if (type === "Q") run(message, first);
    else if (type === "B") run(message, prepared.get(second) ?? "");
    else link.toServer(bytes);
  };
  const onAnswer = ({ type, body, bytes }: Message) => {
    if (answers === "reset") return link.reset();
    if (answers === "stall") return;
    if (type === "C" && hiddenAnswers > 0 && texts(body)[0] === "ROLLBACK") hiddenAnswers -= 1;
    else link.toClient(bytes);
  };
  return {
    fromClient: (bytes) => fromClient(bytes).forEach(onMessage),
    fromServer: (bytes) => fromServer(bytes).forEach(onAnswer),
    serverEnded: link.endClient,
  };
}

const isCommit = (text: string) => /^\s*(?:commit|end)\b/i.test(text);

/** A statement that fails with this code. */
const raising = (sqlState: string) =>
  `DO $$ BEGIN RAISE EXCEPTION 'asked for by a test' USING ERRCODE = '${sqlState}'; END $$`;

function queryMessage(text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5, "Q");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The texts that end with a zero, in their order. */
function texts(body: Buffer): readonly string[] {
  return body.toString("utf8").split("\0", 2);
}

/** Puts packets together again to whole messages. */
function messageReader(begins: "typed" | "untyped"): (bytes: Buffer) => readonly Message[] {
  let rest = Buffer.alloc(0);
  let isTyped = begins === "typed";
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const messages: Message[] = [];
    for (;;) {
      const typeLength = isTyped ? 1 : 0;
      if (rest.length < typeLength + 4) return messages;
      const length = typeLength + rest.readInt32BE(typeLength);
      if (rest.length < length) return messages;
      const body = rest.subarray(typeLength + 4, length);
      messages.push({ type: rest.toString("latin1", 0, typeLength), body, bytes: rest.subarray(0, length) });
      // The start of the protocol has version 3; a request for encryption comes before it and has another
      // number.
      if (!isTyped) isTyped = body.readInt16BE(0) === 3;
      rest = rest.subarray(length);
    }
  };
}
