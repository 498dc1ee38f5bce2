import { connect, type Socket } from "node:net";

/** More than any limit of the service; who still gets no answer after so many bytes is not bounded. */
const patienceBytes = 64 * 1024 * 1024;

/**
 * Sends bytes as they are, and then more for as long as no answer comes. Resolves to what was answered by the time that the
 * answer's body is complete or the connection is closed. Fails when the server swallows everything.
 */
export function sendRaw(address: string, head: string, more: Uint8Array | null = null): Promise<string> {
  const { hostname, port } = new URL(address);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = "";
  let sent = 0;
  const socket: Socket = connect(Number(port), hostname, () => {
    socket.write(head);
    pump();
  });
  const pump = () => {
    if (more === null || answer !== "" || socket.destroyed) return;
    sent += more.length;
    if (sent > patienceBytes) return end(() => reject(new Error(`no answer after ${sent} bytes`)));
    if (socket.write(more)) setImmediate(pump);
    else socket.once("drain", pump);
  };
  const end = (settle: () => void) => {
    socket.destroy();
    settle();
  };
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    answer += text;
    if (isComplete(answer)) end(() => resolve(answer));
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

/** One piece of a body that is sent in chunks. */
export function chunk(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}
