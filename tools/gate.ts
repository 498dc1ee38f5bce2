/*
 * Everything a change has to pass: `bun run gate`, which `npm test` runs too. Each step is a script of `package.json` and
 * can be run alone. All of them run even when one fails, so that one run names everything there is to mend.
 */
const steps = ["gate:format", "gate:types", "gate:lint", "gate:unused", "gate:openapi", "gate:tests"];

const failed = steps.filter((step) => !passes(step));
console.log(failed.length === 0 ? "\ngate: passed" : `\ngate: failed at ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function passes(step: string): boolean {
  console.log(`\n▶ ${step}`);
  const start = performance.now();
  const { success } = Bun.spawnSync([process.execPath, "run", step], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  console.log(`${success ? "✔" : "✘"} ${step}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return success;
}
