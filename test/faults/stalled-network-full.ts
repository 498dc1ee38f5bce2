/*
 * The long form of `stalled-network.test.ts`.
 *
 *   SECONDS=<number> each trouble lasts so long (60; 3600 is an hour)
 */
import { stalledNetworkSuite } from "./stalled-network.suite.ts";

stalledNetworkSuite({ names: /./, seconds: Number(process.env["SECONDS"] ?? 60) });
