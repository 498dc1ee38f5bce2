import { runCli } from "./cli/run.ts";

const code = await runCli(process.argv.slice(2));
// Results that could not be written have set it already.
if (code !== 0) process.exitCode = code;
