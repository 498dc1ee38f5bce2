import { useEffect, useRef, useState } from "preact/hooks";
import { showShortMoment } from "../words/format.ts";
import { words } from "../words/language.ts";

/** The name that browsers give to every picture of the clipboard. */
const namelessPicture = /^image(?=\.\w+$)/i;

/** A pasted picture is named after its moment, so that the next one has another name. */
function named(file: File): File {
  if (!namelessPicture.test(file.name)) return file;
  const name = words.peek().wardrobe.pasted(showShortMoment(Date.now() / 1000));
  return new File(
    [file],
    file.name.replace(namelessPicture, () => name),
    { type: file.type },
  );
}

/**
 * Takes a file that is dropped anywhere on the page, or pasted. While files are dragged over the page, it
 * says so. Beside a `FileButton`, which needs neither a pointer nor a clipboard.
 */
export function IncomingFile({
  text,
  onFile,
}: {
  readonly text: string;
  readonly onFile: (file: File) => void;
}) {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFile);
  take.current = onFile;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const receive = (event: Event, data: DataTransfer | null) => {
      const file = data?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      take.current(named(file));
    };
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      // Without this the browser leaves the page and shows the file.
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      // The pointer left the window, not an element of the page.
      if (event.relatedTarget === null) setOver(false);
    };
    addEventListener("dragover", over, { signal });
    addEventListener("dragleave", leave, { signal });
    addEventListener(
      "drop",
      (event) => {
        setOver(false);
        receive(event, event.dataTransfer);
      },
      { signal },
    );
    addEventListener("paste", (event) => receive(event, event.clipboardData), { signal });
    return () => controller.abort();
  }, []);
  if (!isOver) return null;
  return (
    <div class="drop-sign" aria-hidden="true">
      <p>{text}</p>
    </div>
  );
}
