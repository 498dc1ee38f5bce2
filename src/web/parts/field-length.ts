import type { TargetedEvent } from "preact";

type TextField = HTMLInputElement | HTMLTextAreaElement;

/**
 * Characters as the API counts them: code points after Unicode normalisation (NFC). The attribute `maxlength`
 * counts UTF-16 units.
 */
function lengthOf(text: string): number {
  return Array.from(text.normalize("NFC")).length;
}

/**
 * Limits a field to so many characters, as `maxlength` does: the end of a longer text is dropped. Text from
 * an input method is checked when it is complete.
 */
export function keepLength(lengthMax: number) {
  const keep = ({ currentTarget: field }: TargetedEvent<TextField>) => shorten(field, lengthMax);
  return {
    onInput: (event: TargetedEvent<TextField, InputEvent>) => {
      if (!event.isComposing) keep(event);
    },
    onCompositionEnd: keep,
  };
}

function shorten(field: TextField, lengthMax: number): void {
  const { value, selectionStart } = field;
  if (value.length <= lengthMax || lengthOf(value) <= lengthMax) return;
  const caret = selectionStart ?? value.length;
  const behind = value.slice(caret);
  let before = value.slice(0, caret);
  for (;;) {
    const excess = lengthOf(before + behind) - lengthMax;
    if (excess <= 0 || before === "") break;
    before = Array.from(before).slice(0, -excess).join("");
  }
  before = before.replace(/[\u200C\u200D]+$/, "");
  field.value = before + behind;
  field.setSelectionRange(before.length, before.length);
}
