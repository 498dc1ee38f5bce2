import { createJoinMemory } from "../domain/game/joins.ts";
import { createGateMemory, openGate } from "../domain/game/call-gates.ts";
import { lanePauseMs } from "../domain/game/password-throttle.ts";
import { createOnceMemory } from "../domain/limits/once-memory.ts";
import { attemptsOfProcess } from "../domain/limits/rate-limits.ts";
import { randomSetupSecret } from "../domain/members/set-up.ts";
import type { AttemptStore } from "../domain/ports/attempt-store.ts";
import type { CallGate } from "../domain/ports/call-gate.ts";
import type { JoinStore } from "../domain/ports/join-store.ts";
import type { OnceStore } from "../domain/ports/once-store.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "./config.ts";

/** What every process that answers for a community must see alike, and that no backup keeps. */
export type SharedState = {
  readonly attempts: AttemptStore;
  readonly once: OnceStore;
  readonly joins: JoinStore;
  /** Passwords that launchers send for one login, one after the other. */
  readonly laneGate: CallGate;
  /** The secret of the link that makes the first administrator. */
  readonly makeSetupSecret: () => string;
};

/** Held in memory: a data folder has one serving process. */
export function stateOfProcess({ rules }: Config, clock: Clock): SharedState {
  const { passwordIntervalMs } = rules.game;
  return {
    attempts: attemptsOfProcess(clock),
    once: createOnceMemory(),
    joins: createJoinMemory({ clock }),
    laneGate: passwordIntervalMs === 0 ? openGate : createGateMemory(lanePauseMs(passwordIntervalMs), clock),
    makeSetupSecret: randomSetupSecret,
  };
}
