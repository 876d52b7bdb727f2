// Fields described by a JSON Schema: each kind of listing has its own. Amounts are typed in dollars, lists one item per line.
import type { JSX } from 'preact';
import type { MeshworkError } from '../../client/error.ts';
import { choiceText, fieldText } from '../words/taxonomy.ts';
import { words } from '../words/words.ts';
import { Choice, Field } from './field.tsx';
import { amountOf, asLines, dollarsOf, linesOf } from './format.ts';

interface Described {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly items?: { readonly type?: string };
}

/** Values by field name; fields left empty are absent. */
export type Said = Readonly<Record<string, unknown>>;

interface SchemaFieldsProps {
  /** A JSON Schema of an object. */
  schema: Readonly<Record<string, unknown>>;
  said: Said;
  say: (said: Said) => void;
  error: MeshworkError | null;
  without: readonly string[];
}

const isCents = (name: string): boolean => name.endsWith('_cents');

/** A value as text. */
function shown(name: string, value: unknown): string {
  if (Array.isArray(value)) return asLines(value.map(String));
  if (typeof value === 'number') return isCents(name) ? dollarsOf(value) : String(value);
  return value === undefined || value === null ? '' : String(value);
}

/** Parses a field's text; invalid text is sent as typed, so that the service's error names the field. */
function meant(name: string, { type, items }: Described, text: string): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'array' && items?.type === 'string') return linesOf(text);
  if (type === 'boolean') return text === 'true';
  if (type === 'number' || type === 'integer') {
    const number = isCents(name) ? amountOf(text) : Number(text.trim());
    return typeof number === 'number' && Number.isFinite(number) ? number : text;
  }
  return text;
}

const isPlain = ({ type, enum: choices, items }: Described): boolean =>
  choices !== undefined ||
  ['string', 'number', 'integer', 'boolean'].includes(type ?? '') ||
  (type === 'array' && items?.type === 'string');

/** A schema's fields that are text, choices or lists. */
export function SchemaFields({ schema, said, say, error, without }: SchemaFieldsProps): JSX.Element {
  const { listings, common, taxonomy } = words;
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Described>>);
  const plain = properties.filter(([name, each]) => !without.includes(name) && isPlain(each));
  const set = (name: string, each: Described, text: string): void => {
    const { [name]: _before, ...rest } = said;
    const value = meant(name, each, text);
    say(value === undefined ? rest : { ...rest, [name]: value });
  };
  return (
    <div class="columns">
      {plain.map(([name, each]) => {
        const label = fieldText(name, each.description, taxonomy);
        const choices = each.type === 'boolean' ? ['true', 'false'] : each.enum;
        const value = shown(name, said[name]);
        if (choices) {
          const textOf = (choice: string): string =>
            each.type === 'boolean' ? (choice === 'true' ? common.yes : common.no) : choiceText(choice, taxonomy);
          return (
            <Choice
              key={name}
              label={label}
              value={value}
              options={[['', listings.unsaid], ...choices.map((choice) => [choice, textOf(choice)] as const)]}
              onChange={(text) => set(name, each, text)}
            />
          );
        }
        return (
          <Field
            key={name}
            label={isCents(name) ? listings.inDollars(label) : each.type === 'array' ? listings.perLine(label) : label}
            name={`fields.${name}`}
            value={value}
            onInput={(text) => set(name, each, text)}
            error={error}
            {...(each.type === 'array' && { rows: 2 })}
          />
        );
      })}
    </div>
  );
}
