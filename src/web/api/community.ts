import type { components } from "./types.ts";

/** What the server says about itself before anyone signs in (`GET /console/community`). */
export type Community = components["schemas"]["Community"];

/** The page itself has these data, so it is drawn without another request. */
export const community: Community = JSON.parse(
  document.querySelector("#community")?.textContent ?? "null",
) as Community; // the server writes it by the same schema
