import { stalledNetworkSuite } from "./stalled-network.suite.ts";

// `bun run test:faults` has all forms of it, for longer.
stalledNetworkSuite({ names: /swallows/, seconds: 0 });
