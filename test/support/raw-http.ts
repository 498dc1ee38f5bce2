import { connect } from "node:net";

/**
 * Sends bytes as they are. Resolves to what was answered by the time that the answer's body is complete or the connection is
 * closed.
 */
export function sendRaw(address: string, head: string, body: Uint8Array | null = null): Promise<string> {
  const { hostname, port } = new URL(address);
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = "";
  const socket = connect(Number(port), hostname, () => {
    socket.write(head);
    if (body !== null) socket.write(body);
  });
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
  return promise;
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
