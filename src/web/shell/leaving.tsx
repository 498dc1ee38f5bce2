import { useState } from "preact/hooks";
import { api, ask } from "../api/client.ts";
import type { Problem } from "../api/problem.ts";
import { askSession, member } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { keepFocus } from "../parts/keep-focus.ts";
import { ProblemText } from "../parts/problems.tsx";
import { showDeadline } from "../words/format.ts";
import { words } from "../words/language.ts";
import { say } from "./messages.tsx";

/** Says when the member's account is deleted, as they asked for, and lets them keep it. */
export function Leaving() {
  const { shell } = words.value;
  const [problem, setProblem] = useState<Problem | null>(null);
  const at = member.value?.deletes_at;
  if (at === undefined) return null;
  const keep = async () => {
    const result = await ask(api.DELETE("/api/home/delete"));
    setProblem(result.ok ? null : result.problem);
    if (!result.ok) return;
    await askSession();
    say(words.peek().shell.accountKept);
    keepFocus();
  };
  return (
    <section class="notice" aria-label={shell.accountLeaves}>
      <p>{shell.accountDeletedOn(showDeadline(at))}</p>
      <ProblemText problem={problem} />
      <Button kind="main" onClick={keep}>
        {shell.keepAccount}
      </Button>
    </section>
  );
}
