import { sources } from "../../adapters/sources/sources.ts";

/** The systems that `import --from` takes. Loads no reader: every start of the program asks for them. */
export const sourceNames: readonly string[] = Object.keys(sources);
