/**
 * Saves an answer as a file under the server's name for it. A plain link would not do: it lacks the header
 * that the session's cookie needs.
 */
export function keepFile(content: Blob, response: Response): void {
  const [, name = "download"] =
    /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // By then the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
