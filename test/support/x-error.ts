import { catalogue } from "../../src/http/refusal-catalogue.ts";
import { statusOf } from "../../src/http/surface.ts";

export type ReadError = {
  readonly code: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
};

const parameter =
  /^; ?([a-z][a-z_]*)=(?:(-?\d{1,15})(?![\d.])|\?([01])|"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"|%"((?:[\x20\x21\x23\x24\x26-\x7e]|%[0-9a-f]{2})*)")/;

/** Reads `X-Error` as RFC 9651 has it: a token with parameters. Throws for anything else. */
export function readError(header: string): ReadError {
  const [code = ""] = /^[a-z_]+/.exec(header) ?? [];
  const parameters: Record<string, string | number | boolean> = {};
  let rest = header.slice(code.length);
  while (rest !== "") {
    const match = parameter.exec(rest);
    if (match === null) throw new Error(`no parameter: ${rest}`);
    const [whole, name = "", number, flag, text, display] = match;
    if (number !== undefined) parameters[name] = Number(number);
    else if (flag !== undefined) parameters[name] = flag === "1";
    else if (text !== undefined) parameters[name] = text.replaceAll(/\\(["\\])/g, "$1");
    else parameters[name] = decodeURIComponent(display ?? "");
    rest = rest.slice(whole.length);
  }
  return { code, parameters };
}

/**
 * What a failure says otherwise than the catalogue has it under its code. `msg` may begin with a failed
 * action.
 */
export function errorFaults(status: number, header: string, msg: string): readonly string[] {
  const { code, parameters } = readError(header);
  const known = catalogue.get(code);
  if (known === undefined) return [`${code} is not in the catalogue`];
  const { field, ...values } = parameters;
  const action = /^[A-Z][A-Za-z ]+ failed: /.exec(msg)?.[0] ?? "";
  const said = msg.slice(action.length);
  const faults: string[] = [];
  if (status !== statusOf[known.kind] && !(action !== "" && status === 400))
    faults.push(`${code}: ${status}`);
  const start = field === undefined ? "" : `${String(field)}: `;
  if (!said.startsWith(start)) faults.push(`${code}: field is ${String(field)}, said is ${said}`);
  const sentence = new RegExp(`^${patternOf(known.sentence, values)}$`, "s");
  if (!sentence.test(said.slice(start.length))) faults.push(`${code}: ${said} is not ${known.sentence}`);
  const named = [...known.sentence.matchAll(/\{(\w+)(?:\|(\w+))?\}/g)]
    .filter(([, , format]) => format !== "unsent")
    // What has no end has no such value.
    .filter(([, name = "", format]) => format !== "until" || name in values)
    .map(([, name]) => name);
  if (Object.keys(values).join() !== named.join()) faults.push(`${code}: ${header} has not ${named.join()}`);
  return faults;
}

/** The sentence with its values. What is spelled, or not sent, may be any text. */
function patternOf(sentence: string, values: ReadError["parameters"]): string {
  return sentence
    .split(/(\{\w+(?:\|\w+)?\}|\[\[\w+\]\])/)
    .map((part) => {
      const [, name, format] = /^\{(\w+)(?:\|(\w+))?\}$/.exec(part) ?? [];
      if (name === undefined) return part.startsWith("[[") ? "\\S+" : RegExp.escape(part);
      return format === undefined ? RegExp.escape(String(values[name])) : ".*";
    })
    .join("");
}
