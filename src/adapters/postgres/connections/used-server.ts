/** The server that a pool uses, and what its connections have to do with it. */
import type { Logger } from "../../../kernel/log.ts";
import type { ConnectionOptions, Role } from "./connection.ts";
import { createDamage } from "./damage.ts";
import type { StatementFault } from "./faults.ts";
import type { Lane } from "./lane.ts";
import { findServer, requirementOf, type Choice, type Haste } from "./primary.ts";
import { ServerWatch } from "./server-watch.ts";
import type { Standing } from "./standing.ts";

/** How the servers are, as far as is known. */
export type Condition = {
  /** How many of the list take writes: 1 where all is well. */
  readonly writers: number;
  /**
   * Whether the one in use was switched to reads only: transactions and writes fail with unavailable at once.
   */
  readonly isReadOnly: boolean;
  /** Its message when it recently failed to read its own files; null: no damage is known. */
  readonly damage: string | null;
};

type Options = {
  /** Of a look for the server. */
  readonly options: ConnectionOptions;
  readonly role: Role;
  /** All that is connected to it. */
  readonly lanes: readonly Lane[];
  /** Called after each look. */
  readonly looked: () => void;
  readonly log: Pick<Logger, "info" | "warn">;
};

export function watchServers({ options, role, lanes, looked, log }: Options) {
  const renew = (): void => {
    for (const lane of lanes) lane.renew();
  };
  const leave = (): void => {
    for (const lane of lanes) {
      lane.refuse();
      lane.close();
    }
  };
  const find = async (haste: Haste): Promise<Choice> => {
    try {
      return await findServer(options, { role, haste, used: watch.current });
    } finally {
      looked();
    }
  };
  const watch: ServerWatch = new ServerWatch({ find, leave, renew, log });
  const damage = createDamage(log);
  watch.onServer(damage.forget);
  const isReadOnly = () => watch.current?.standing.isReadOnly ?? false;
  const required = requirementOf(role);
  const require = (standing: Standing): void => {
    required?.(standing);
    watch.heard(standing);
  };
  const onFault = (fault: StatementFault): void => {
    const { kind } = fault;
    damage.note(fault);
    // It is asked each second then, and the node's own writes go on failing.
    if (kind === "standby" && isReadOnly()) return;
    // Whether a connection may write can be settled when it is opened.
    if (kind === "ended" || kind === "standby") renew();
    if (kind === "late" || kind === "standby") watch.suspect();
  };
  return {
    watch,
    condition: (): Condition => ({
      writers: watch.current === null ? 0 : watch.current.rivals.length + (isReadOnly() ? 0 : 1),
      isReadOnly: isReadOnly(),
      damage: damage.current(),
    }),
    /** What each connection needs. */
    needs: { require: required && require, onFault },
  };
}
