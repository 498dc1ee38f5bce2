import { examine, type NamedFinding } from "../operate/doctor/examine.ts";
import { AppError } from "../kernel/errors.ts";
import { command } from "./command.ts";
import { json, jsonText } from "./output.ts";

export const doctor = command({
  name: "doctor",
  summary: "looks whether everything is in order, and says how to mend what is not",
  details:
    "Give it the settings that the server gets, and run it as the same user. It changes nothing and sends no mail. Ends with 1" +
    " when there is a problem; warnings alone are no failure.",
  settings: "taken",
  options: { json },
  run: async ({ json }, { io, loadConfig }) => {
    const findings = await examine(loadConfig);
    const problems = findings.filter(({ state }) => state === "problem").length;
    io.out(json ? jsonText({ ok: problems === 0, findings }) : findings.map(findingText).join(""));
    if (problems > 0)
      throw new AppError("internal", `${problems} ${problems === 1 ? "problem" : "problems"} found`);
  },
});

function findingText({ check, state, message, remedy }: NamedFinding): string {
  const lines = [
    `${state.padEnd(8)} ${check}: ${message}`,
    ...(remedy === null ? [] : [`         -> ${remedy}`]),
  ];
  return `${lines.join("\n")}\n`;
}
