import { pictureRefusals } from "../../render/refusals.ts";
import { accountRefusals } from "./account-refusals.ts";
import { staffRefusals } from "./staff-refusals.ts";
import { textureRefusals } from "./texture-refusals.ts";
import { busyRefusals } from "./busy-refusals.ts";

/**
 * Every refusal of the use cases, the stores and the pictures, each written once (docs/contract/errors.md).
 */
export const refusals = {
  ...accountRefusals,
  ...staffRefusals,
  ...textureRefusals,
  ...busyRefusals,
  ...pictureRefusals,
} as const;
