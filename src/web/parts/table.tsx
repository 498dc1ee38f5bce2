import type { ComponentChildren } from "preact";

export type Column<Row> = {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
};

type TableProps<Row> = {
  /** Its accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** It stays a table on phones, and its rows are low: a few short columns. */
  readonly isCompact?: boolean;
};

/**
 * A table, which becomes cards where it is narrower than 40 rem: each cell then stands beside its column's
 * name. The roles are written out, because some browsers drop them with another `display`.
 */
export function Table<Row>({ label, columns, rows, keyOf, isCompact = false }: TableProps<Row>) {
  return (
    <div class="table-box">
      <table class={isCompact ? "table table-compact" : "table"} role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, isNumber }) => (
              <th key={head} role="columnheader" scope="col" class={isNumber ? "number" : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ head, cell, isNumber }) => (
                <td key={head} role="cell" data-head={head} class={isNumber ? "number" : undefined}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
