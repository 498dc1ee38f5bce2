import { refusals } from "../../domain/model/refusals.ts";
import type { ErrorKind } from "../../kernel/errors.ts";
import { shownFailure } from "../envelope.ts";
import { catalogue } from "../refusal-catalogue.ts";
import { httpRefusals } from "../refusals.ts";
import { rules } from "../rules.ts";
import { brokenBy } from "../route-table.ts";
import type { Route } from "../routing/route.ts";
import { statusOf } from "../surface.ts";

/** A way to fail, as far as the document's extension `x-errors` names it. */
export type Named = { readonly kind: ErrorKind; readonly code: string };

/** What every request may meet, whatever it asks for. */
const anywhere: readonly Named[] = [
  httpRefusals.internal,
  httpRefusals.noHost,
  httpRefusals.requestInvalid,
  httpRefusals.tooManyAtOnce,
  refusals.stopping,
  refusals.unavailable,
  refusals.readsOnly,
  refusals.contended,
  refusals.busy,
  refusals.noFiles,
];

/** What every request with a body may meet, and every change. */
const ofChanges: readonly Named[] = [
  httpRefusals.otherSite,
  httpRefusals.bodyTooLarge,
  httpRefusals.wrongType,
  httpRefusals.tooSlow,
  httpRefusals.tooManyPieces,
  httpRefusals.brokenOff,
  httpRefusals.notJson,
  httpRefusals.tooManyFields,
  httpRefusals.tooDeep,
  httpRefusals.tooManyValues,
  httpRefusals.bodyInvalid,
  rules.object,
  rules.notAField,
  refusals.tooMany,
  refusals.tooManyWrites,
  refusals.tooManyChanges,
  refusals.noSpace,
];

/** The codes that belong to no single operation, by their statuses: the document's own `x-errors`. */
export const sharedCodes = byStatus([...anywhere, ...ofChanges], ({ kind }) => statusOf[kind]);

/** The codes of an operation beside the shared ones, by their statuses. */
export function codesOf(route: Route, named: readonly Named[]): Readonly<Record<string, readonly string[]>> {
  const { body, query, params, refuses = [] } = route;
  const broken = [body, query, params].flatMap((schema) => (schema === undefined ? [] : brokenBy(schema)));
  return byStatus(
    [...named, ...broken, ...refuses],
    ({ kind }) => shownFailure(route, statusOf[kind], "").status,
  );
}

function byStatus(
  named: readonly Named[],
  statusFor: (one: Named) => number,
): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const one of named) {
    const codes = (found[statusFor(one)] ??= []);
    if (!codes.includes(one.code)) codes.push(one.code);
  }
  return Object.fromEntries(Object.entries(found).map(([status, codes]) => [status, codes.toSorted()]));
}

/** The schema of all codes, for programs that are generated from the document. */
export const errorCodeSchema = {
  type: "string",
  description: "The codes of `X-Error` (docs/contract/errors.md). New ones may come with any version.",
  enum: [...catalogue.keys()].toSorted(),
};
