/* The long form of `conflicts.test.ts`: every statement of every write fails in turn, not COMMIT alone. */
import { conflictSuite } from "./conflicts.suite.ts";

conflictSuite("long");
