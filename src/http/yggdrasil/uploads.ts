import type { SkinModel } from "../../domain/model/texture.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { failureAnswer } from "./failures.ts";
import { t } from "../routing/schema.ts";

/** What the routes share by which launchers upload textures. */

/** Stands between the guard of an upload and the reader of its form. */
export function uploadGate({ limits }: Pick<Services, "limits">, { requests }: Pick<Http, "requests">) {
  return requests.uploadGuard(async (account) => limits.upload.take({ account }));
}

/** Launchers mean the classic model by several words, and by none. */
export function modelOf(word: string | undefined): SkinModel {
  return word?.toLowerCase() === "slim" ? "slim" : "classic";
}

/** The field that says the model. */
export const modelField = (description: string) =>
  t.Optional(t.String({ description, rule: "must be a text", examples: ["slim"] }));

/** How an upload fails. */
export const uploadFailures = {
  400: failureAnswer("The form or the picture is not what it must be"),
  401: failureAnswer("The token is missing or not valid"),
  403: failureAnswer("The player is another account's, or the texture may not be worn"),
  404: failureAnswer("No player has this id"),
  413: failureAnswer("The file is too large"),
  415: failureAnswer("The body is no form"),
  429: failureAnswer("Too many uploads, or changes of what the player shows"),
};
