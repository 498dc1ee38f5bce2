import { words } from "../words/language.ts";
import { Page } from "./page.tsx";

export function NotFound() {
  const { shell } = words.value;
  return (
    <Page heading={shell.notFound}>
      <p>{shell.notFoundHelp}</p>
      <p>
        <a href="/">{shell.toStart}</a>
      </p>
    </Page>
  );
}
