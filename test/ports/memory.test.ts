/** What one process keeps in its memory, by the suites that every implementation has to pass. */
import { createJoinMemory } from "../../src/domain/game/joins.ts";
import { createGateMemory } from "../../src/domain/game/call-gates.ts";
import { createOnceMemory } from "../../src/domain/limits/once-memory.ts";
import { callGateSuite } from "./call-gate.suite.ts";
import { joinsSuite } from "./joins.suite.ts";
import { onceSuite } from "./once.suite.ts";

/** One process is one node, which asks twice. */
const twice = <Store>(store: Store): readonly [Store, Store] => [store, store];

onceSuite("in memory", () => twice(createOnceMemory()));
joinsSuite("in memory", (clock) => twice(createJoinMemory({ clock })));
callGateSuite("in memory", (clock) => twice(createGateMemory(1000, clock)));
