import { secretsOfAnswer, secretsOfRequest } from "./leaks.ts";

/** Notes the secrets that pass in either direction. */
export function fetchOf(
  app: { readonly fetch: (request: Request) => Response | Promise<Response> },
  passed: Set<string>,
): (path: string, init?: RequestInit) => Promise<Response> {
  return async (path, init) => {
    const request = new Request(`http://localhost${path}`, init);
    for (const secret of secretsOfRequest(request, init?.body)) passed.add(secret);
    const response = await app.fetch(request);
    for (const secret of await secretsOfAnswer(response)) passed.add(secret);
    return withEnd(response);
  };
}

/** A stream of events has no end: its beginning stands for it. */
async function withEnd(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  if (body === null || !headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const reader = body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new Response(value ?? null, { status, headers });
}
