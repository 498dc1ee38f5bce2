/**
 * A refusal for programs: a stable code, the field that it is about, and the values that its sentence names.
 */
type CodedError = {
  readonly code: string;
  /** Empty: of none. */
  readonly field: string;
  readonly values: Readonly<Record<string, string | number | boolean>>;
};

const parameter = /;\s*([a-z_]+)=(?:(%?)"((?:[^"\\]|\\.)*)"|\?([01])|(-?[\d.]+))/g;

/**
 * Reads the header `X-Error`, an item with parameters (RFC 9651): `too_many_characters; field="name";
 * max=64`.
 */
export function readError(header: string): CodedError {
  const { field = "", ...values } = Object.fromEntries(Array.from(header.matchAll(parameter), valueOf));
  return { code: /^[a-z_]*/.exec(header)?.[0] ?? "", field: String(field), values };
}

/** Throws for a text that is not well encoded. */
function valueOf([, name = "", isDisplay, text, flag, number]: RegExpExecArray) {
  if (text === undefined) return [name, flag === undefined ? Number(number) : flag === "1"] as const;
  return [name, isDisplay ? decodeURIComponent(text) : text.replaceAll(/\\(.)/g, "$1")] as const;
}
