import createClient from "openapi-fetch";
import { language } from "../words/language.ts";
import type { paths } from "./types.ts";
import { failed, problemOf, unreachable, type Failed, type Problem } from "./problem.ts";

/**
 * The API, as its document describes it. Each request carries the header without which the cookie counts for
 * nothing.
 */
export const api = createClient<paths>({
  baseUrl: location.origin,
  credentials: "same-origin",
  headers: { "X-Cloakroom-Console": "1" },
});

// The server writes mails in this language.
api.use({ onRequest: ({ request }) => request.headers.set("Accept-Language", language.peek()) });

/** Options of a request beside its body. */
export type Sending = { readonly headers?: Readonly<Record<string, string>> };

/**
 * For a request that no person causes, such as a timer's: the server does not take it for a use of the
 * session.
 */
export const inBackground: Sending = { headers: { "X-Cloakroom-Background": "1" } };

/** The result of a request, with the answer's headers. */
export type Answer<Body> = { readonly ok: true; readonly body: Body; readonly response: Response } | Failed;

type Fetched<Body> = { readonly data?: Body; readonly error?: unknown; readonly response: Response };

type Listeners = Set<() => void>;

const signedOut: Listeners = new Set();
const forbidden: Listeners = new Set();

/**
 * Calls the listener when an answer says that the session has ended. Returns a function that removes the
 * listener.
 */
export function onSignedOut(listener: () => void): () => void {
  signedOut.add(listener);
  return () => void signedOut.delete(listener);
}

/** Calls the listener when the member lacks the right to do something: the level may have changed. */
export function onForbidden(listener: () => void): void {
  forbidden.add(listener);
}

/** Waits for an answer of `api`, and never throws: `ask(api.GET("/api/home"))`. */
export async function ask<Body>(sent: Promise<Fetched<Body>>): Promise<Answer<Body>> {
  let fetched: Fetched<Body>;
  underWay.add(sent);
  try {
    fetched = await sent;
  } catch {
    return failed(unreachable);
  } finally {
    underWay.delete(sent);
  }
  const { data, error, response } = fetched;
  // The body of a 204 is nothing, and its type says so.
  if (response.ok) return { ok: true, body: data as Body, response };
  const problem = problemOf(response, error);
  if (problem.kind === "signed-out") for (const listener of signedOut) listener();
  if (problem.kind === "forbidden") for (const listener of forbidden) listener();
  return failed(await inWords(problem));
}

/** The problem in the language of the page, where the server's own sentence is in another one. */
export async function inWords(problem: Problem): Promise<Problem> {
  if (problem.error === "") return problem;
  try {
    const { labelled, sayInWords } = await import("../words/refusals.ts");
    const { error, msg } = problem;
    return { ...problem, text: (await sayInWords(error, problem.more)) ?? labelled(error, msg) };
  } catch {
    // The files of an old tab are gone after an update of the server.
    return problem;
  }
}

/** Requests without an answer yet. */
const underWay = new Set<Promise<unknown>>();
const answeredMs = 2000;

/** Resolves when all requests so far are answered, after two seconds at most. The session may end then. */
export async function allAnswered(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, answeredMs));
  await Promise.race([Promise.allSettled(underWay), late]);
}

/** Options of `api` that send a form with a file unchanged. */
export function formBody(form: FormData) {
  // The document describes the parts of the form; the types have no word for FormData.
  return { body: form as never, bodySerializer: () => form };
}
