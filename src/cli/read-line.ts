import { AppError } from "../kernel/errors.ts";

/** No password of ours is nearly as long (128 characters); a file given by mistake is not read to its end. */
const lineBytesMax = 4096;

/** One line from standard input without its line end. At a terminal it prompts and shows nothing of what is typed. */
export async function readLine(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return firstLine(stdin);
  stderr.write(prompt);
  stdin.setRawMode(true);
  try {
    return await typedLine(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.unref();
    stderr.write("\n");
  }
}

async function firstLine(chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
    if (bytes.includes("\n")) break;
    if (bytes.length > lineBytesMax) throw new AppError("invalid", "the line on standard input is too long");
  }
  const [line = ""] = bytes.toString("utf8").split("\n");
  return line.replace(/\r$/, "");
}

/** Raw mode leaves it to us what Enter, Backspace and Ctrl-C mean. */
async function typedLine(keys: AsyncIterable<Uint8Array | string>): Promise<string> {
  let line = "";
  for await (const chunk of keys) {
    for (const key of Buffer.from(chunk).toString("utf8")) {
      if (key === "\r" || key === "\n" || key === "\x04") return line;
      if (key === "\x03") throw new AppError("invalid", "cancelled");
      if (key === "\x7f" || key === "\b") line = line.slice(0, -1);
      else line += key;
    }
    if (line.length > lineBytesMax) throw new AppError("invalid", "the line is too long");
  }
  return line;
}
