import { hostname } from "node:os";
import { newUuid } from "../kernel/ids.ts";
import type { Config } from "./config.ts";

/** NODE_NAME has 64 characters at most. The dash and the random part take nine of them. */
const hostLengthMax = 64 - 9;

/** NODE_NAME, or else the host's name with a random part: copies of one machine may have the same name. */
export function nodeNameOf({ nodeName }: Pick<Config, "nodeName">): string {
  if (nodeName !== null) return nodeName;
  const host = hostname()
    .replaceAll(/[^\w.-]/g, "-")
    .slice(0, hostLengthMax);
  return `${host}-${newUuid().slice(0, 8)}`;
}
