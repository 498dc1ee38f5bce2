import { conflictSuite } from "./conflicts.suite.ts";

// `bun run test:faults` has the long form.
conflictSuite("short");
