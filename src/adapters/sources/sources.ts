/** The systems that communities come from: one line for each. */
import type { SourceSystem } from "../../domain/ports/import-source.ts";
import type { OpenSource, SourceGiven } from "./given.ts";

type SourceLine = {
  /** One of these has to be given. */
  readonly needs: readonly (keyof SourceGiven)[];
  /** Loads the reader alone. */
  readonly load: () => Promise<OpenSource>;
};

/** Readers by the name that `--from` takes. */
export const sources: Readonly<Partial<Record<SourceSystem, SourceLine>>> = {};
