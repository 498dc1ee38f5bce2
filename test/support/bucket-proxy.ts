/*
 * A network before object storage that reads HTTP/1.1: a chosen request is answered by the proxy, reset, or
 * gets a damaged answer. Every connection has one request, because each answer closes it.
 */
import { openFaultProxy, type FaultProxy, type Filter, type Link } from "./fault-proxy.ts";
import type { BucketAccess } from "./bucket.ts";

export type BucketRequest = {
  readonly method: string;
  /** With the query, as it was sent. */
  readonly path: string;
};

export type RequestFault =
  /** Answered by the proxy with an error of S3: the server never hears of it. */
  | { readonly answer: number }
  /** The server carries it out, and the client gets this status instead. */
  | { readonly answerAfter: number }
  /** The connection is reset, and the server never hears of it. */
  | "reset"
  /** The server carries it out, and the connection is reset instead of the answer. */
  | "loseAnswer"
  /** The server never hears of it, and no answer comes. */
  | "stall"
  /** The body's first half arrives; then the connection is reset. */
  | "half"
  /** The body's first half arrives; then nothing more. */
  | "stallHalf"
  /** The body arrives with its middle byte changed. */
  | "changeByte"
  /** The condition of a write does not reach the server. */
  | "dropCondition";

export type OnRequest = (request: BucketRequest) => RequestFault | null;

export type BucketProxy = FaultProxy &
  BucketAccess & {
    /** Replaces what is done with requests. */
    readonly onRequest: (choose: OnRequest) => void;
  };

/**
 * Opens a proxy before the server of the bucket, through which every request passes until a test says
 * otherwise.
 */
export async function openBucketProxy(access: BucketAccess): Promise<BucketProxy> {
  let choose: OnRequest = passAll;
  const { hostname, port } = new URL(access.endpoint);
  const proxy = await openFaultProxy({
    target: { host: hostname, port: Number(port || "80") },
    filter: (link) => requestFilter(link, (request) => choose(request)),
  });
  return {
    ...access,
    ...proxy,
    endpoint: `http://127.0.0.1:${proxy.port}`,
    onRequest: (next) => void (choose = next),
  };
}

const passAll: OnRequest = () => null;

const headEnd = "\r\n\r\n";

function requestFilter(link: Link, choose: OnRequest): Filter {
  let head: Buffer | null = Buffer.alloc(0);
  let fault: RequestFault | null = null;
  let isIgnored = false;
  const answer: Buffer[] = [];

  const begin = (bytes: Buffer) => {
    const end = bytes.indexOf(headEnd);
    if (end < 0) return void (head = bytes);
    head = null;
    const [first = "", ...fields] = bytes.toString("latin1", 0, end).split("\r\n");
    const [method = "", path = ""] = first.split(" ");
    fault = choose({ method, path });
    if (fault === "reset") return link.reset();
    isIgnored = fault === "stall" || isAnsweredHere(fault);
    if (isAnsweredHere(fault)) {
      link.toClient(failure(fault.answer));
      return link.endClient();
    }
    if (isIgnored) return;
    const dropped = fault === "dropCondition" ? /^(connection|if-none-match):/i : /^connection:/i;
    const kept = fields.filter((field) => !dropped.test(field));
    if (fault === "dropCondition") fault = null;
    link.toServer(Buffer.from([first, ...kept, "Connection: close"].join("\r\n") + headEnd, "latin1"));
    link.toServer(bytes.subarray(end + headEnd.length));
  };
  return {
    fromClient: (bytes) => {
      if (head !== null) begin(Buffer.concat([head, bytes]));
      else if (!isIgnored) link.toServer(bytes);
    },
    fromServer: (bytes) => {
      if (fault === "loseAnswer") return link.reset();
      if (fault === null) link.toClient(bytes);
      // So that the body's middle is known.
      else answer.push(bytes);
    },
    serverEnded: () => {
      if (fault === null) link.endClient();
      else if (!isIgnored) damage(link, fault, Buffer.concat(answer));
    },
  };
}

function isAnsweredHere(fault: RequestFault | null): fault is { readonly answer: number } {
  return typeof fault === "object" && fault !== null && "answer" in fault;
}

/** Sends a whole answer of the server on, as the fault leaves it. */
function damage(link: Link, fault: RequestFault, answer: Buffer): void {
  const bodyStart = answer.indexOf(headEnd) + headEnd.length;
  const middle = bodyStart + Math.floor((answer.length - bodyStart) / 2);
  if (fault === "half" || fault === "stallHalf") {
    link.toClient(answer.subarray(0, middle));
    // Given time to arrive: a reset drops what was not yet read.
    if (fault === "half") setTimeout(link.reset, 50);
    return;
  }
  if (fault === "changeByte") {
    answer.writeUInt8(answer.readUInt8(middle) ^ 1, middle);
    link.toClient(answer);
  } else if (typeof fault === "object" && "answerAfter" in fault) link.toClient(failure(fault.answerAfter));
  link.endClient();
}

function failure(status: number): Buffer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${status === 503 ? "SlowDown" : "InternalError"}</Code></Error>`;
  const head = [
    `HTTP/1.1 ${status} Failed`,
    "Content-Type: application/xml",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  return Buffer.from(head.join("\r\n") + headEnd + body);
}
