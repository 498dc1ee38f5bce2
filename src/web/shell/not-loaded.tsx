import { api, ask } from "../api/client.ts";
import { unreachable } from "../api/problem.ts";
import { Button } from "../parts/button.tsx";
import { LoadFailure } from "../parts/problems.tsx";
import { words } from "../words/language.ts";
import { sayBad } from "./messages.tsx";
import { Page } from "./page.tsx";

/** What stands in for a page whose files did not come. */
export async function pageNotLoaded() {
  return (await isReachable()) ? NewVersion : NoServer;
}

/** Says that files for something within a page did not come. */
export async function sayNotLoaded(): Promise<void> {
  const isOld = await isReachable();
  const { shell } = words.peek();
  sayBad(isOld ? `${shell.newVersion}. ${shell.newVersionHelp}` : shell.unreachable);
}

/** A server that answers has other files: it was updated since this tab was opened. */
async function isReachable(): Promise<boolean> {
  const result = await ask(api.GET("/console/session"));
  return result.ok || result.problem.kind !== "unreachable";
}

function NewVersion() {
  const { shell } = words.value;
  return (
    <Page heading={shell.newVersion}>
      <p>{shell.newVersionHelp}</p>
      <Button kind="main" onClick={() => location.reload()}>
        {shell.reload}
      </Button>
    </Page>
  );
}

function NoServer() {
  return (
    <Page heading={words.value.shell.unreachable}>
      <LoadFailure problem={unreachable} retry={loadAgain} />
    </Page>
  );
}

async function loadAgain(): Promise<void> {
  if (await isReachable()) location.reload();
}
