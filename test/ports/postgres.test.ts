/** PostgreSQL, by the suites that every engine has to pass. */
import { describe } from "bun:test";
import { parseAddress } from "../../src/adapters/postgres/connections/address.ts";
import { openPostgres } from "../../src/adapters/postgres/database.ts";
import { createLogger } from "../../src/kernel/log.ts";
import { lentDatabase } from "../support/lent-postgres.ts";
import { postgresMissing } from "../support/postgres.ts";
import { auditSuite } from "./audit.suite.ts";
import { codesSuite } from "./codes.suite.ts";
import { daysSuite } from "./days.suite.ts";
import { memberListsSuite } from "./member-lists.suite.ts";
import { identitiesSuite } from "./identities.suite.ts";
import { importsSuite } from "./imports.suite.ts";
import { outboxSuite } from "./outbox.suite.ts";
import { playersSuite } from "./players.suite.ts";
import { searchSuite } from "./search.suite.ts";
import { storesSuite, transactionsSuite } from "./stores.suite.ts";
import { hashesSuite } from "./hashes.suite.ts";
import { suspensionsSuite } from "./suspensions.suite.ts";
import { texturesSuite } from "./textures.suite.ts";

if (postgresMissing !== null) console.error(`NOT RUN: stores on PostgreSQL (${postgresMissing})`);

const log = createLogger({ level: "error", format: "json" });

/** Works run once: a run that is rolled back has used numbers, and the suites say which a row has. */
async function openFresh() {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await lentDatabase());
  const setting = { address: parseAddress(url), readAddress: null, poolMax: 4, prepared: true };
  const { engine } = opened.use(await openPostgres({ setting, nodeName: "test", log }));
  const closing = opened.move();
  return { ...engine, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

const suites = {
  accounts: storesSuite,
  players: playersSuite,
  audit: auditSuite,
  textures: texturesSuite,
  codes: codesSuite,
  identities: identitiesSuite,
  imports: importsSuite,
  outbox: outboxSuite,
  days: daysSuite,
  suspensions: suspensionsSuite,
  hashes: hashesSuite,
  "lists of members": memberListsSuite,
  search: searchSuite,
};

// Each suite is alone in its group: all that a group has opened before a test is opened for each of its
// tests.
describe.skipIf(postgresMissing !== null)("transactions", () =>
  transactionsSuite("PostgreSQL", openFresh, { areAlone: false }),
);
describe.skipIf(postgresMissing !== null).each(Object.entries(suites))("%s", (_, suite) =>
  suite("PostgreSQL", openFresh),
);
