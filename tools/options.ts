import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** Parses a tool's options. Prints the usage and exits with 0 for `--help`, with 2 for unknown options. */
export function readOptions<const Options extends ParseArgsOptionsConfig>(usage: string, options: Options) {
  if (process.argv.includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  const read = () => parseArgs({ options }).values;
  let values: ReturnType<typeof read>;
  try {
    values = read();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
  return values;
}
