import { Elysia } from "elysia";
import type { GuardDeps } from "../../session.ts";

export type BulkMailDeps = GuardDeps;

/** Mails to everybody (contract, Admin). */
export function bulkMailRoutes(_deps: BulkMailDeps) {
  return new Elysia();
}
