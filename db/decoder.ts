// How a stored value becomes a row's, on either engine, without drizzle's own row mapping, which costs more than the read.
import { Column, is, SQL } from 'drizzle-orm';

export type Decode = (value: unknown) => unknown;

/** The function from a column's stored value to the row's, or null when they are the same. */
export function decoder(field: unknown): Decode | null {
  if (is(field, Column)) {
    const plain = field.mapFromDriverValue === Column.prototype.mapFromDriverValue;
    return plain ? null : (value) => field.mapFromDriverValue(value);
  }
  const expression = is(field, SQL.Aliased) ? field.sql : field;
  if (!is(expression, SQL)) throw new Error('a select names something that is neither a column nor an expression');
  // drizzle keeps an expression's decoder to itself.
  const { decoder: own } = expression as unknown as { decoder: { mapFromDriverValue: Decode } };
  return (value) => own.mapFromDriverValue(value);
}
