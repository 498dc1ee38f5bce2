import { S3Client } from "bun";
import { codeOf } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { networkReason } from "../../kernel/network-reasons.ts";
import { within } from "../../kernel/within.ts";
import { watchOutage } from "./outage.ts";

/** How a bucket is reached. */
export type BucketOptions = {
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Precedes every name; empty or with a slash at its end. */
  readonly prefix: string;
  /** Called when the bucket stops answering, with the reason, and when it answers again: null. */
  readonly onOutage?: (reason: string | null) => void;
};

type Method = "GET" | "PUT" | "DELETE";
type Operation = Method | "LIST";

type ObjectRequest = {
  readonly method: Method;
  readonly key: string;
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

/** `isRepeat`: an earlier try of ours may have been carried out, although its answer was lost. */
export type ObjectAnswer = {
  readonly status: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isRepeat: boolean;
};

/** A page of names, with when each was stored last (Unix seconds). */
export type KeyPage = {
  readonly keys: readonly { readonly key: string; readonly storedAt: number }[];
  /** Whether there are more. */
  readonly goesOn: boolean;
};

/** How often requests ended how, by operation. */
export type RequestCounts = readonly {
  readonly operation: Operation;
  readonly result: Result;
  readonly count: number;
}[];
/** `missing`: no such object. `repeated`: a try that failed and was made again. */
type Result = "ok" | "missing" | "repeated" | "failed";

/**
 * A try that did not get an answer that can be used. The reason never holds an address, which would hold a
 * signature.
 */
type Fault = { readonly fault: string; readonly mayRepeat: boolean };

/** One try may take this long until it answers, and its body as long as a slow line takes in addition. */
const tryMs = 3_000;
const bytesPerMs = 4 * 1024;
const triesMax = 3;
/** No further try begins after this time, so that no request waits for more than 10 s. */
const triesMs = 6_500;
/** Pauses before the second and the third try, each up to twice as long. */
const pausesMs = [100, 400];
const errorBytesMax = 16 * 1024;
/** Bun's client lists without a time limit, so what hangs stays. */
const hangingListsMax = 4;
const listMs = 5_000;
/** S3's largest page of names. */
const namesMax = 1000;
/** Seconds for which a signed address is good: longer than its try, and clocks may differ by minutes. */
const signedSeconds = 300;
/** The status of an upload that met another one of the same name, ours, and is made again. */
const conflicting = 409;

/**
 * Requests to a bucket: bounded in time and bytes, tried three times where that can help, and refused at once
 * while the bucket is known to be away. Fails with unavailable.
 */
export function bucketRequests(options: BucketOptions) {
  const client = clientOf(options);
  const outage = watchOutage(options.onOutage ?? (() => undefined));
  const { note, counts } = countRequests();
  let hangingLists = 0;

  const repeat = async <Answer extends object>(
    operation: Operation,
    attempt: () => Promise<Answer | Fault>,
  ): Promise<Answer & { readonly isRepeat: boolean }> => {
    const { isProbe } = outage.enter();
    const beganAt = performance.now();
    for (let number = 1; ; number++) {
      const found = await attempt();
      if (!("fault" in found)) {
        outage.answered();
        return { ...found, isRepeat: number > 1 };
      }
      const isLate = performance.now() - beganAt > triesMs;
      const isLast = isProbe || number === triesMax || isLate || outage.reason() !== null;
      if (isLast || !found.mayRepeat) {
        note(operation, "failed");
        throw outage.failed(found.fault);
      }
      note(operation, "repeated");
      await Bun.sleep((pausesMs[number - 1] ?? 0) * (1 + Math.random()));
    }
  };

  return {
    /** Answers of 200, 204, 404 and, for a PUT with a condition, 412. */
    ask: async (request: ObjectRequest): Promise<ObjectAnswer> => {
      const { method, key } = request;
      const sign = () => client.presign(key, { method, expiresIn: signedSeconds });
      const answer = await repeat(method, () => tryOnce(sign(), request));
      note(method, answer.status === 404 ? "missing" : "ok");
      return answer;
    },
    /** The names after this one that begin with the prefix, in their order. */
    list: async (prefix: string, after: string | null): Promise<KeyPage> => {
      const page = await repeat("LIST", async () => {
        if (hangingLists >= hangingListsMax) return { fault: "lists hang", mayRepeat: false };
        hangingLists += 1;
        const answer = client
          .list({ prefix, maxKeys: namesMax, ...(after !== null && { startAfter: after }) })
          .then(pageOf, listFault)
          .finally(() => (hangingLists -= 1));
        return unlessLate(answer, listMs);
      });
      note("LIST", "ok");
      return page;
    },
    /** Why the bucket is away; null: it is there, as far as is known. */
    outage: outage.reason,
    counts,
  };
}

function clientOf({ endpoint, region, bucket, accessKeyId, secretAccessKey }: BucketOptions): S3Client {
  const access = { bucket, accessKeyId, secretAccessKey, region: region ?? "us-east-1" };
  return new S3Client({ ...access, ...(endpoint !== null && { endpoint }) });
}

function countRequests() {
  const counts = new Map<string, RequestCounts[number]>();
  return {
    note: (operation: Operation, result: Result): void => {
      const name = `${operation} ${result}`;
      counts.set(name, { operation, result, count: (counts.get(name)?.count ?? 0) + 1 });
    },
    counts: (): RequestCounts => [...counts.values()],
  };
}

/** One request, without another try. */
async function tryOnce(
  address: string,
  { method, body, headers }: ObjectRequest,
): Promise<Omit<ObjectAnswer, "isRepeat"> | Fault> {
  const ending = new AbortController();
  const end = () => ending.abort();
  let timer = setTimeout(end, tryMs + (body?.length ?? 0) / bytesPerMs);
  try {
    const response = await fetch(address, {
      method,
      redirect: "manual",
      signal: ending.signal,
      // Else a proxy may send fewer bytes than the length that is announced.
      headers: { ...headers, "Accept-Encoding": "identity" },
      // The boundary to Bun's types, which want bytes of no shared memory.
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    });
    const { status } = response;
    const isObject = method === "GET" && status === 200;
    const announced = response.headers.get("content-length");
    const length = Number(announced ?? 0);
    clearTimeout(timer);
    timer = setTimeout(end, tryMs + Math.min(length, limits.storedTextureBytesMax) / bytesPerMs);
    const bytes = await readWhole(response, isObject ? limits.storedTextureBytesMax : errorBytesMax);
    if (bytes === null) return { fault: `${status} with too large a body`, mayRepeat: false };
    if (isObject && announced !== null && bytes.length !== length)
      return { fault: "half an answer", mayRepeat: true };
    return isObject ? { status, bytes } : judge(method, status, bytes);
  } catch (error) {
    return { fault: reasonOf(error), mayRepeat: true };
  } finally {
    clearTimeout(timer);
  }
}

/** Only what comes of the service's load or of the network is worth another try. */
function judge(
  method: Method,
  status: number,
  bytes: Uint8Array<ArrayBuffer>,
): Omit<ObjectAnswer, "isRepeat"> | Fault {
  const isDone = status === 200 || status === 204;
  if (isDone && method !== "GET") return { status, bytes };
  const code = errorCode(bytes);
  if (status === 404 && method !== "PUT" && code !== "NoSuchBucket") return { status, bytes };
  if (status === 412 && method === "PUT") return { status, bytes };
  const mayRepeat = status >= 500 || status === 429 || status === conflicting;
  return { fault: `${status}${code === "" ? "" : ` ${code}`}`, mayRepeat };
}

/** The code in an error of S3, an XML text; empty without one. */
function errorCode(bytes: Uint8Array): string {
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(new TextDecoder().decode(bytes))?.[1] ?? "";
}

/** Null for a body that is larger. */
async function readWhole(response: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > bytesMax) return null;
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function pageOf({ contents = [], isTruncated }: Awaited<ReturnType<S3Client["list"]>>): KeyPage {
  const keys = contents.map(({ key, lastModified }) => ({
    key,
    storedAt: Math.floor(Date.parse(String(lastModified)) / 1000),
  }));
  return { keys, goesOn: isTruncated === true };
}

/** What the service refuses for good, in the words of Bun's client. */
const refusedCodes = new Set(["AccessDenied", "NoSuchBucket", "InvalidAccessKeyId", "SignatureDoesNotMatch"]);

function listFault(error: unknown): Fault {
  return { fault: reasonOf(error), mayRepeat: !refusedCodes.has(codeOf(error) ?? "") };
}

function unlessLate<Answer>(answer: Promise<Answer>, milliseconds: number): Promise<Answer | Fault> {
  return within(milliseconds, answer, () => ({ fault: "no answer in time", mayRepeat: true }));
}

/** Without the error's own words, in which Bun may repeat the signed address. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "AbortError") return "no answer in time";
  const code = codeOf(error) ?? "an unknown error";
  return networkReason(Object.assign(new Error("An unexpected error has occurred"), { code })) ?? code;
}
