import { Button } from "../parts/button.tsx";
import { words } from "../words/language.ts";
import { Page } from "./page.tsx";

/** Stands in for a page whose files the server no longer has. */
export function NewVersion() {
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
