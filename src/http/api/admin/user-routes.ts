import { Elysia } from "elysia";
import type { GuardDeps } from "../../session.ts";

export type UserDeps = GuardDeps;

/** Users, their levels and their deletion (contract, Admin). */
export function userRoutes(_deps: UserDeps) {
  return new Elysia();
}
