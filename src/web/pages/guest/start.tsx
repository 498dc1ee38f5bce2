import { community } from "../../api/community.ts";
import { Page } from "../../shell/page.tsx";

export function Start() {
  return (
    <Page heading={community.name}>
      <p dir="auto">{community.text}</p>
    </Page>
  );
}
