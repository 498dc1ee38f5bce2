import type { Problem } from "../api/problem.ts";
import { words } from "../words/language.ts";
import { Button } from "./button.tsx";

/** A problem in words. The API's own message where it has one that helps. */
export function showProblem(problem: Problem): string {
  const { shell } = words.value;
  if (problem.kind === "unreachable") return shell.unreachable;
  if (problem.kind === "limited") return problem.text || shell.tooMany;
  if (problem.kind === "fault") return shell.fault;
  if (problem.kind === "signed-out") return problem.text || shell.signedOutMeanwhile;
  if (problem.kind === "not-found") return problem.text || shell.notFoundHelp;
  return problem.text || shell.noRightsHelp;
}

/** A problem beside what failed. Screen readers say it as soon as it is there. */
export function ProblemText({ problem }: { readonly problem: Problem | null }) {
  const { shell } = words.value;
  return (
    <div role="alert" class="problem">
      {problem !== null && (
        <>
          <p>{showProblem(problem)}</p>
          {problem.kind === "unreachable" && <p>{shell.unreachableHelp}</p>}
          {problem.kind === "fault" && problem.requestId !== "" && (
            <p>{shell.faultNumber(problem.requestId)}</p>
          )}
        </>
      )}
    </div>
  );
}

/** Stands in for what could not be loaded. */
export function LoadFailure({ problem, retry }: { readonly problem: Problem; readonly retry: () => void }) {
  return (
    <div class="failure">
      <ProblemText problem={problem} />
      <Button onClick={retry}>{words.value.shell.retry}</Button>
    </div>
  );
}

/** Stands in for a page while no server answers. */
export function Unreachable() {
  return (
    <LoadFailure
      problem={{ kind: "unreachable", text: "", seconds: 0, requestId: "" }}
      retry={() => location.reload()}
    />
  );
}
