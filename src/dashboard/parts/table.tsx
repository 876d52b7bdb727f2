// Tables that fit a phone: below a certain width each row is a card, and each cell says its column's name.
import type { ComponentChildren, JSX } from 'preact';

/** A column: its name, what its cells show, and whether they are figures. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly figure?: boolean;
}

interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
}

export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>): JSX.Element {
  return (
    <table>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, figure }) => (
            <th key={name} scope="col" class={figure ? 'figure' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ name, cell, figure }) => (
              <td key={name} data-name={name} class={figure ? 'figure' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
