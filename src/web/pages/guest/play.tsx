import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { failed, unreachable, type Result } from "../../api/problem.ts";
import { member } from "../../api/session.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { Page } from "../../shell/page.tsx";
import { findServed } from "../../shell/served.ts";
import { language, words, type Language } from "../../words/language.ts";
import { dragAddress } from "./launcher-address.tsx";

/**
 * What to enter into which launcher. The server writes the steps (`http/console/play`), so that they are
 * there without scripts; this adds the buttons that copy, the dragging, and the member's own name.
 */
export function Play() {
  const load = useLoad(language.value, () => loadSteps(language.peek()));
  return (
    <Page heading={words.value.shell.play}>
      <Loaded load={load} skeleton={<Skeleton kind="card" count={4} />}>
        {(steps) => <Steps steps={steps} />}
      </Loaded>
    </Page>
  );
}

function Steps({ steps }: { readonly steps: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null);
  const name = member.value?.username ?? "";
  useLayoutEffect(() => {
    place.current?.replaceChildren(steps);
    const leave = [...steps.querySelectorAll<HTMLElement>(".play-address")].map(addCopying);
    for (const help of steps.querySelectorAll<HTMLElement>(".play-drag")) help.hidden = false;
    if (location.hash !== "") document.getElementById(location.hash.slice(1))?.scrollIntoView();
    return () => leave.forEach((end) => end());
  }, [steps]);
  useLayoutEffect(() => {
    if (name === "") return;
    for (const shown of steps.querySelectorAll(".play-name")) shown.textContent = name;
  }, [steps, name]);
  return <div ref={place} />;
}

/** Lets people copy an address and drag it into a launcher. Returns a function that undoes this. */
function addCopying(address: HTMLElement): () => void {
  const text = address.textContent ?? "";
  const place = document.createElement("span");
  address.append(place);
  render(<Copy text={text} />, place);
  address.draggable = true;
  const drag = (event: DragEvent) => dragAddress(event, text);
  address.addEventListener("dragstart", drag);
  return () => {
    address.removeEventListener("dragstart", drag);
    render(null, place);
    place.remove();
  };
}

function Copy({ text }: { readonly text: string }) {
  return <CopyButton text={text} label={words.value.guest.copyAddress} />;
}

/** The steps in a language: from the page that the server sent, or from one that is fetched now. */
async function loadSteps(wanted: Language): Promise<Result<HTMLElement>> {
  const sent = findServed(".play");
  if (sent?.lang === wanted) return { ok: true, body: sent };
  const steps = (await askPage(wanted))?.querySelector<HTMLElement>(".play");
  return steps ? { ok: true, body: steps } : failed(unreachable);
}

/** As a document: the pages' policy lets no script make HTML out of text. */
function askPage(wanted: Language): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", "/play");
    request.responseType = "document";
    request.setRequestHeader("Accept-Language", wanted);
    request.addEventListener("loadend", () => resolve(request.responseXML));
    request.send();
  });
}
