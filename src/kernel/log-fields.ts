/**
 * Facts of a log line, apart from its message. An `Error` is written with its stack and causes. Never put a
 * secret here.
 */
export type LogFields = Readonly<Record<string, unknown>>;
