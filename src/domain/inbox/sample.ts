// Sample data of an event, by the schema of its kind, to test a receiver of webhooks before real events.
import { type EventKind, specOf } from './event.ts';
import type { EventData } from './events/spec.ts';

/** The part of JSON Schema that event data use. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const ID = '0199d3a2-7c41-7d3e-8a01-5f0c1d2e3a01';

function textOf(name: string, format: string | undefined, now: string): string {
  if (format === 'uuid') return ID;
  if (format === 'date-time') return now;
  return name.endsWith('handle') || name === 'sender' ? 'grace' : `a sample ${name.replaceAll('_', ' ')}`;
}

function sampleOf(name: string, schema: Schema, now: string): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return schema.anyOf[0] && sampleOf(name, schema.anyOf[0], now);
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([field, each]) => [field, sampleOf(field, each, now)]);
    return Object.fromEntries(fields);
  }
  if (schema.items) return [sampleOf(name, schema.items, now)];
  if (schema.type === 'string') return textOf(name, schema.format, now);
  if (schema.type === 'integer' || schema.type === 'number')
    return name.endsWith('cents') ? 2_500 : Math.max(schema.minimum ?? 1, 1);
  if (schema.type === 'boolean') return true;
  return schema.type === 'array' ? [] : schema.type === 'object' ? {} : null;
}

/** Sample data of the kind; `now` is ISO 8601 and fills each time field. */
export function sampleData(kind: EventKind, now: string): EventData {
  return sampleOf('', specOf(kind).data as Schema, now) as EventData;
}
