import { Elysia } from "elysia";
import type { GuardDeps } from "../../session.ts";

export type AuditDeps = GuardDeps;

/** What was changed, by whom (contract, Admin). */
export function auditRoutes(_deps: AuditDeps) {
  return new Elysia();
}
