/**
 * Parts of Node that a start does without, each loaded when it is first used. Imports would load them before
 * the first line runs: together that took 10 ms of a start, and 2 MB.
 */
export const nodeParts = {
  get crypto() {
    return process.getBuiltinModule("node:crypto");
  },
  get tls() {
    return process.getBuiltinModule("node:tls");
  },
  get zlib() {
    return process.getBuiltinModule("node:zlib");
  },
};
