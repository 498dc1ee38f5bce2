import { say, sayBad } from "../shell/messages.tsx";
import { words } from "../words/language.ts";
import { Button } from "./button.tsx";

type CopyButtonProps = {
  readonly text: string;
  /** What is copied: "Copy address". */
  readonly label: string;
  /** Whether the label is seen as well, where nothing beside the button says it. */
  readonly isLabelled?: boolean;
};

/** Copies a text. */
export function CopyButton({ text, label, isLabelled = false }: CopyButtonProps) {
  const { shell } = words.value;
  const copy = async () => {
    if (await copyText(text)) say(shell.copied);
    else sayBad(shell.notCopied);
  };
  return (
    <Button label={label} onClick={copy}>
      {isLabelled ? label : shell.copy}
    </Button>
  );
}

/**
 * Browsers offer the clipboard to https and to this machine alone; elsewhere a selected text is copied the
 * old way.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "heard";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
