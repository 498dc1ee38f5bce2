import type { Config } from "../boot/config.ts";
import { neededParts } from "../domain/health/readiness.ts";
import { PlainError } from "../kernel/errors.ts";
import { askOwnServer, placeText, type HealthAnswer } from "../operate/ask-server.ts";
import { examine, type NamedFinding } from "../operate/doctor/examine.ts";
import { reasonOf } from "../operate/doctor/finding.ts";
import { json } from "./arguments.ts";
import { command } from "./command.ts";
import { countText } from "./output.ts";

/**
 * `doctor`: prints each check with its remedy. Exits with 1 if there is a problem; warnings alone leave it
 * at 0.
 */
export const doctor = command({
  name: "doctor",
  summary: "checks whether everything is in order, and says how to correct what is not",
  details:
    "Give it the settings that the server gets, and run it as the same user. It changes nothing and sends no mail. Exits with 1" +
    " if there is a problem; warnings alone are no failure.",
  options: { json },
  run: async (_, { loadConfig }) => {
    const findings = await examine(loadConfig);
    const problems = findings.filter(({ state }) => state === "problem").length;
    return {
      record: { ok: problems === 0, findings: findings.map(findingRecord) },
      text: findings.map(findingText).join(""),
      failure: problems === 0 ? null : new PlainError("internal", `${countText(problems, "problem")} found`),
    };
  },
});

/**
 * As people read it: codes are for programs that say it in another language, and not every finding has one.
 */
function findingRecord({ check, state, message, remedy }: NamedFinding) {
  return { check, state, message, remedy };
}

function findingText({ check, state, message, remedy }: NamedFinding): string {
  const cure = remedy === null ? "" : `         -> ${remedy}\n`;
  return `${state.padEnd(8)} ${check}: ${message}\n${cure}`;
}

/** Less than the five seconds that container engines and load balancers give. */
const answerMs = 4000;

/**
 * `health`: asks the running server whether it is ready. Exits with 0 if so, else with 1; containers use it.
 */
export const health = command({
  name: "health",
  summary: "asks the server of these settings whether it is ready, and exits with 0 if it is",
  details:
    "Give it the settings that the server gets. It asks /health/ready where the server listens, past any proxy, and exits with 1" +
    " if there is no answer within 4 seconds or the server is not ready: its log says why.",
  options: { json },
  run: async (_, { loadConfig }) => {
    const { config } = await loadConfig();
    const { problem, parts } = await lookAt(config);
    return {
      record: { ready: problem === null, place: placeText(config), parts, problem },
      text: problem === null ? "ready\n" : "",
      failure: problem === null ? null : new PlainError("internal", problem),
    };
  },
});

/**
 * What keeps the server from being ready, null for nothing; and the parts that it checked, by its own names.
 */
type Health = { readonly problem: string | null; readonly parts: unknown };

async function lookAt(config: Config): Promise<Health> {
  if (config.socketFile === null && config.port === 0)
    return { problem: "PORT is 0, so the server's port is not known: set a fixed one", parts: null };
  const answer = await askOwnServer(config, "/health/ready", AbortSignal.timeout(answerMs));
  return {
    problem: problemOf(answer, placeText(config)),
    parts: answer.state === "cloakroom" ? answer.data : null,
  };
}

function problemOf(answer: HealthAnswer, place: string): string | null {
  if (answer.state === "silent") return `no server answers on ${place}: ${reasonOf(answer.cause)}`;
  if (answer.state === "other") return `something else answers on ${place} (status ${answer.status})`;
  if (answer.status === 200) return null;
  const data = Object(answer.data);
  const missing = neededParts.filter((part) => data[part] === false);
  const why = missing.length === 0 ? `it answers with status ${answer.status}` : missing.join(", ");
  return `the server on ${place} is not ready: ${why}; its log says more`;
}
