/** Why a request did not do what it was sent for. */
export type Problem = {
  readonly kind:
    /** The API refused. */
    | "refused"
    /** Too many requests; `seconds` says how long to wait. */
    | "limited"
    /** No answer came. */
    | "unreachable"
    /** The session has ended. */
    | "signed-out"
    /** The level is too low. */
    | "forbidden"
    | "not-found"
    /** A fault of the server. `requestId` leads the operator to its cause. */
    | "fault";
  /** The refusal in the language of the page, or else `msg`. */
  readonly text: string;
  /** The API's own message; empty where there is none. */
  readonly msg: string;
  /** The refusal for programs, the header `X-Error`; empty where there is none. */
  readonly error: string;
  /** What the refusal says beside its header, for the sentence in the language of the page. */
  readonly more: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly requestId: string;
};

/** A value, or why there is none. */
export type Result<Body> = { readonly ok: true; readonly body: Body } | Failed;

export type Failed = { readonly ok: false; readonly problem: Problem };

export function failed(problem: Problem): Failed {
  return { ok: false, problem };
}

const none = { text: "", msg: "", error: "", more: {}, seconds: 0, requestId: "" };

export const unreachable: Problem = { ...none, kind: "unreachable" };

/** A refusal that the page found by itself, before it sent anything. */
export function refusal(text: string): Problem {
  return { ...none, kind: "refused", text };
}

/** The problem that a failed answer states. */
export function problemOf(response: Response, body: unknown): Problem {
  const { headers } = response;
  const msg = messageOf(body);
  return {
    kind: kindOf(response),
    text: msg,
    msg,
    error: headers.get("x-error") ?? "",
    more: reasonOf(body),
    seconds: Math.min(waitSecondsMax, Math.max(1, Number(headers.get("retry-after")) || 1)),
    requestId: headers.get("x-request-id") ?? "",
  };
}

/** A month: no limit of the server is longer, and timers cannot count further. */
const waitSecondsMax = 30 * 86_400;

/** Addresses where 401 means a wrong name or password, and not the end of a session. */
const signIns = /^\/console\/(?:session|social)$/;

function kindOf({ status, headers, url }: Response): Problem["kind"] {
  if (status === 401) return signIns.test(new URL(url).pathname) ? "refused" : "signed-out";
  if (status === 403) return "forbidden";
  if (status === 404) return "not-found";
  if (status === 429 || (status === 503 && headers.has("retry-after"))) return "limited";
  return status >= 500 ? "fault" : "refused";
}

function messageOf(body: unknown): string {
  if (typeof body !== "object" || body === null || !("msg" in body)) return "";
  return typeof body.msg === "string" ? body.msg : "";
}

/** The reason of a suspension, which only the person who has given the right password gets. */
function reasonOf(body: unknown): Problem["more"] {
  const { data } = fieldsOf(body);
  const { reason } = fieldsOf(fieldsOf(data)["suspended"]);
  return typeof reason === "string" && reason !== "" ? { reason } : {};
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
