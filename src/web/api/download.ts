/**
 * Has the browser keep an answer as a file, under the name that the server gives it. A plain link would not do: it does not carry the
 * header without which the cookie counts for nothing.
 */
export function keepFile(content: Blob, response: Response): void {
  const [, name = "download"] =
    /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
