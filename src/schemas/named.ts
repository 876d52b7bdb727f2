// Names for shapes of the wire. The OpenAPI document holds a named shape once and refers to it, so that generated clients have
// readable types. A name changes neither what is valid nor the speed of validation.
import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

/** A name, and the shape at the time of naming. */
export interface Component {
  readonly name: string;
  readonly shape: TSchema;
}

/** Not enumerable, like TypeBox's own marks, and kept by copies such as that of `Type.Optional`. */
const MARK = '~component';
const NAME = /^[A-Z][A-Za-z0-9]*$/;

/** Copies a schema with more properties; hidden properties stay hidden. */
export function copyWith<T extends TSchema>(schema: T, more: PropertyDescriptorMap): T {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), ...more }) as T;
}

/** Gives a schema a component name, a noun of the interface in PascalCase. The name of an operation's input is that of
 * its body, without the fields of path and headers. */
export function named<T extends TSchema>(name: string, schema: T): T {
  if (!NAME.test(name)) throw new Error(`${name}: a component is named in PascalCase`);
  const component: Component = { name, shape: schema };
  return copyWith(schema, { [MARK]: { value: component, enumerable: false, configurable: true } });
}

/** Makes an object schema with a component name and a description. */
export function namedObject<P extends TProperties>(
  name: string,
  description: string,
  properties: P,
  options: { readonly additionalProperties?: true } = {},
): TObject<P> {
  return named(name, Type.Object(properties, { description, ...options }));
}

/** For objects that others define and extend, such as those of browsers: unknown members are allowed. */
export const MAY_HOLD_MORE = { additionalProperties: true } as const;

/** A named schema with a description of this use, in addition to its own. */
export function described<T extends TSchema>(description: string, schema: T): T {
  return copyWith(schema, {
    description: { value: description, enumerable: true, configurable: true, writable: true },
  });
}

export function componentOf(schema: object): Component | null {
  return MARK in schema ? (schema[MARK] as Component) : null;
}
