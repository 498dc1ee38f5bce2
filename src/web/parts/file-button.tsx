import { useRef } from "preact/hooks";
import type { ButtonKind } from "./button.tsx";

/**
 * A button that chooses a file. The native input lies over it, so that keyboards and screen readers find it.
 */
export function FileButton({
  kind = "main",
  label,
  accept,
  onFile,
}: {
  readonly kind?: ButtonKind;
  readonly label: string;
  readonly accept: string;
  readonly onFile: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const choose = () => {
    const file = input.current?.files?.[0];
    if (file !== undefined) onFile(file);
    // The same file, chosen again, is a change as well.
    if (input.current !== null) input.current.value = "";
  };
  return (
    <label class={`button button-${kind} file-button`}>
      <span>{label}</span>
      <input ref={input} type="file" accept={accept} onChange={choose} />
    </label>
  );
}
