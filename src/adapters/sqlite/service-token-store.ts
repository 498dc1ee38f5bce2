import { asc, eq } from "drizzle-orm";
import type { ServiceTokenReads, ServiceTokenStore } from "../../domain/ports/service-token-store.ts";
import type { Db } from "./open.ts";
import { serviceTokens } from "./schema/access.ts";

export function serviceTokenReads(db: Db): ServiceTokenReads {
  const all = db.select().from(serviceTokens).orderBy(asc(serviceTokens.id)).prepare();
  return { listTokens: async () => all.all() };
}

export function serviceTokenStore(db: Db): ServiceTokenStore {
  return {
    ...serviceTokenReads(db),
    insertToken: async (token) => db.insert(serviceTokens).values(token).returning().get(),
    setLastUsed: async (uses) => {
      for (const [id, lastUsedAt] of uses)
        db.update(serviceTokens).set({ lastUsedAt }).where(eq(serviceTokens.id, id)).run();
    },
    deleteToken: async (name) =>
      db.delete(serviceTokens).where(eq(serviceTokens.name, name)).returning().get() ?? null,
  };
}
