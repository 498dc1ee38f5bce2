import { askOwnServer, placeText, type HealthAnswer } from "../operate/ask-server.ts";
import type { Config } from "../boot/config.ts";
import { reasonOf } from "../operate/doctor/finding.ts";
import { neededParts } from "../domain/health/readiness.ts";
import { AppError } from "../kernel/errors.ts";
import { command } from "./command.ts";
import { json, jsonText } from "./output.ts";

/** Less than the five seconds that container engines and balancers give. */
const answerMs = 4000;

export const health = command({
  name: "health",
  summary: "asks the server of these settings whether it is ready, and ends with 0 when it is",
  details:
    "Give it the settings that the server gets. It asks /health/ready where those listen, past any proxy, and ends with 1 when" +
    " nothing answers within 4 seconds or the server is not ready: its log says why.",
  settings: "taken",
  options: { json },
  run: async ({ json }, { io, loadConfig }) => {
    const { config } = await loadConfig();
    const { problem, parts } = await lookAt(config);
    if (json) io.out(jsonText({ ready: problem === null, place: placeText(config), parts, problem }));
    if (problem !== null) throw new AppError("internal", problem);
    if (!json) io.out("ready\n");
  },
});

/** What keeps the server from being ready, null for nothing; and the parts that it looked at, as it names them. */
type Health = { readonly problem: string | null; readonly parts: unknown };

async function lookAt(config: Config): Promise<Health> {
  if (config.socketFile === null && config.port === 0)
    return {
      problem: "PORT is 0, so nobody knows where the server listens: give it a port of its own",
      parts: null,
    };
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
