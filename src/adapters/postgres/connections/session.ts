import type { ServerSession } from "./connection.ts";
import { StatementFault } from "./faults.ts";
import type { Sender } from "../../sql/sender.ts";

/**
 * What a transaction sends through: the same object in each transaction of one place, over whatever
 * connection it has then.
 */
export type TransactionSession = Sender & {
  /** A transaction begins with the next statement. */
  readonly begin: (text: string) => void;
  /**
   * Ends the transaction, if a statement was sent in it. Resolves to what the server did: it answers COMMIT
   * with ROLLBACK when a statement of the transaction had failed.
   */
  readonly end: (text: "COMMIT" | "ROLLBACK") => Promise<string>;
  /**
   * The first fault of the transaction, also one that its work caught: nothing of it can be kept any more.
   */
  readonly fault: () => StatementFault | null;
};

/** A session, and what gives it the connection of one transaction. */
export function createSession() {
  let reserved: ServerSession | null = null;
  let beginning: string | null = null;
  let begun: Promise<string> | null = null;
  let fault: StatementFault | null = null;

  const noted = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof StatementFault) fault ??= error;
      throw error;
    }
  };
  const connection = (): ServerSession => {
    if (reserved === null) throw new Error("This transaction has ended");
    return reserved;
  };

  const session: TransactionSession = {
    send: async (text, values) => {
      const { send, command } = connection();
      if (beginning !== null) {
        begun = noted(command(beginning));
        beginning = null;
      }
      if (begun === null) return noted(send(text, values));
      // A statement that only reads goes out together with BEGIN. One that writes waits for its answer:
      // without a transaction it would be kept at once.
      if (!isRead(text)) await begun;
      const [rows] = await Promise.all([noted(send(text, values)), begun]);
      begun = null;
      return rows;
    },
    begin: (text) => {
      beginning = text;
      begun = null;
      fault = null;
    },
    end: (text) => {
      if (beginning === null) return noted(connection().command(text));
      beginning = null;
      return Promise.resolve(text);
    },
    fault: () => fault,
  };
  return {
    session,
    /** Runs the work with the session over this connection. */
    over: async <T>(given: ServerSession, work: (session: TransactionSession) => Promise<T>): Promise<T> => {
      reserved = given;
      try {
        return await work(session);
      } finally {
        reserved = null;
      }
    },
  };
}

function isRead(text: string): boolean {
  return /^\s*select\b/i.test(text);
}
