import { useEffect, useState } from "preact/hooks";
import { inWords } from "../api/client.ts";
import { unreachable, type Problem } from "../api/problem.ts";
import { askSession } from "../api/session.ts";
import { showWait } from "../words/format.ts";
import { language, words } from "../words/language.ts";
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
export function ProblemText({ id, problem }: { readonly id?: string; readonly problem: Problem | null }) {
  const { shell } = words.value;
  const said = useInWords(problem);
  return (
    <div id={id} role="alert" class="problem">
      {problem !== null && said !== null && (
        <>
          <p>{showProblem(said)}</p>
          {problem.kind === "unreachable" && <p>{shell.unreachableHelp}</p>}
          {problem.kind === "fault" && problem.requestId !== "" && (
            <p>{shell.faultNumber(problem.requestId)}</p>
          )}
        </>
      )}
    </div>
  );
}

/** The problem in the language of the page, also after another one was chosen. */
function useInWords(problem: Problem | null): Problem | null {
  const shown = language.value;
  const [again, setAgain] = useState({ of: problem, said: problem });
  useEffect(() => {
    let isGone = false;
    const sayAgain = async (of: Problem) => {
      const said = await inWords(of);
      if (!isGone) setAgain({ of, said });
    };
    if (problem !== null) void sayAgain(problem);
    return () => {
      isGone = true;
    };
  }, [problem, shown]);
  return again.of === problem ? again.said : problem;
}

/** Seconds until sending again makes sense. */
export function useCountdown(problem: Problem | null): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (problem?.kind !== "limited") return setLeft(0);
    setLeft(problem.seconds);
    const timer = setInterval(() => setLeft((left) => Math.max(0, left - 1)), 1000);
    return () => clearInterval(timer);
  }, [problem]);
  return left;
}

type LoadFailureProps = { readonly problem: Problem; readonly retry: () => Promise<void> };

/** Stands in for what could not be loaded. */
export function LoadFailure({ problem, retry }: LoadFailureProps) {
  const { shell } = words.value;
  const [isBusy, setBusy] = useState(false);
  const seconds = useCountdown(problem);
  const again = async () => {
    setBusy(true);
    await retry();
    setBusy(false);
  };
  return (
    <div class="failure">
      <ProblemText problem={problem} />
      <Button busy={isBusy || seconds > 0} onClick={again}>
        {seconds > 0 ? shell.limited(showWait(seconds)) : shell.retry}
      </Button>
    </div>
  );
}

/** Stands in for a page while no server answers. */
export function Unreachable() {
  return <LoadFailure problem={unreachable} retry={askSession} />;
}
