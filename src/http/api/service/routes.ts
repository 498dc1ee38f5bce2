import { Elysia } from "elysia";

export type ServiceDeps = object;

/** `/api/service` (contract, Service endpoints): what other services ask for, with a service token. */
export function serviceRoutes(_deps: ServiceDeps) {
  return new Elysia({ prefix: "/api/service", tags: ["Service endpoints"] }).headers({
    "cache-control": "no-store",
  });
}
