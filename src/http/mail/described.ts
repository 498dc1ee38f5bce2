import type { Answer } from "../openapi/describe.ts";
import type { HeaderName } from "../openapi/headers.ts";
import { policy } from "./page.ts";

/** What the pages answer, for the API's document: their failures are pages too. */

type Answers = Readonly<Record<number, Answer>>;

const pageHeaders = [
  "Content-Language",
  "Content-Security-Policy",
  "Referrer-Policy",
  "X-Content-Type-Options",
  "X-Frame-Options",
  "X-Robots-Tag",
] as const;

const unknown = { 404: page("The link is for no account; perhaps a part of it is missing") };
const malformed = { 400: page("The address is not valid") };
const fault = {
  500: page("A fault of the server, with the number by which the operator finds its cause", "X-Request-Id"),
};

export const lookAnswers: Answers = {
  200: page("What the mails are, with a button that ends them or takes them up again"),
  ...malformed,
  ...unknown,
  ...fault,
};
export const changeAnswers: Answers = {
  200: page("What holds from now on"),
  ...malformed,
  ...unknown,
  413: page("The body is larger than 16 KiB"),
  429: page(
    "Too many requests altogether; an address of which too many were refused gets the envelope",
    "Retry-After",
  ),
  ...fault,
  507: page("The server's disk is full; nothing was changed"),
};

function page(description: string, ...headers: readonly HeaderName[]): Answer {
  const headerExamples = { "Content-Security-Policy": policy };
  return { description, type: "text/html", headers: [...pageHeaders, ...headers], headerExamples };
}
