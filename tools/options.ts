import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** Reads the options of a tool. With `--help` it prints how the tool is used and ends with 0; with what it does not know, 2. */
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
