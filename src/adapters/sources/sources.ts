/** The systems that communities come from: one line for each. */
import type { OpenSource, SourceGiven } from "./given.ts";

type SourceLine = {
  /** One of these has to be given. */
  readonly needs: readonly (keyof SourceGiven)[];
  /** Loads the reader alone. */
  readonly load: () => Promise<OpenSource>;
};

const database = ["address", "file"] as const;

/** Readers by the name that `--from` takes, in the order of its help. */
export const sources: Readonly<Record<string, SourceLine>> = {
  blessing: {
    needs: [...database, "env"],
    load: async () => (await import("./blessing.ts")).openBlessing,
  },
  drasl: { needs: database, load: async () => (await import("./drasl.ts")).openDrasl },
  gravit: { needs: database, load: async () => (await import("./gravit.ts")).openGravit },
  authme: { needs: database, load: async () => (await import("./authme.ts")).openAuthMe },
  librelogin: { needs: database, load: async () => (await import("./librelogin.ts")).openLibreLogin },
  nlogin: { needs: database, load: async () => (await import("./nlogin.ts")).openNLogin },
  openlogin: { needs: database, load: async () => (await import("./openlogin.ts")).openOpenLogin },
  limboauth: { needs: database, load: async () => (await import("./limboauth.ts")).openLimboAuth },
  names: { needs: ["file"], load: async () => (await import("./names.ts")).openNames },
  textures: { needs: ["textures", "capes"], load: async () => (await import("./textures.ts")).openTextures },
  csv: { needs: ["file"], load: async () => (await import("./csv.ts")).openCsv },
  jsonl: { needs: ["file"], load: async () => (await import("./jsonl.ts")).openJsonl },
  cloakroom: { needs: ["file"], load: async () => (await import("./cloakroom.ts")).openCloakroom },
};
