import { connect } from "node:net";

/** A request on its way: more can be sent, and its answer comes when it comes. */
export type RawRequest = {
  readonly send: (bytes: Uint8Array) => void;
  /** What was answered by the time that the answer's body is complete or the connection is closed. */
  readonly answer: Promise<string>;
};

/** Sends the head of a request as it is. */
export function beginRaw(address: string, head: string): RawRequest {
  const { hostname, port } = new URL(address);
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = "";
  const socket = connect(Number(port), hostname);
  socket.write(head);
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    answer += text;
    if (!isComplete(answer)) return;
    socket.destroy();
    resolve(answer);
  });
  socket.on("close", () => resolve(answer));
  // A server that refuses the rest of a body may reset the connection; what it said before counts.
  socket.on("error", () => resolve(answer));
  return { send: (bytes) => void socket.write(bytes), answer: promise };
}

/** Sends bytes as they are, and resolves to what was answered. */
export function sendRaw(address: string, head: string, body: Uint8Array | null = null): Promise<string> {
  const { send, answer } = beginRaw(address, head);
  if (body !== null) send(body);
  return answer;
}

function isComplete(answer: string): boolean {
  const [head = "", body] = answer.split("\r\n\r\n", 2);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  return body !== undefined && length !== undefined && body.length >= Number(length);
}

/** One piece of a body that is sent in chunks; an empty one ends it. */
export function chunk(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}
