// Names for shapes of the wire. Under its name the OpenAPI document holds a shape once and refers to it, so that a generated
// client has types that a person can speak of. A name changes nothing of what is valid, nor of how fast that is found out.
import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

/** A name that was given, and the shape as it was when it got it. */
export interface Component {
  readonly name: string;
  readonly shape: TSchema;
}

/** Hidden like TypeBox's own marks: not enumerable, and kept by copies such as that of `Type.Optional`. */
const MARK = '~component';
const NAME = /^[A-Z][A-Za-z0-9]*$/;

/** A schema like another, with more properties; what is not enumerable stays so. */
export function copyWith<T extends TSchema>(schema: T, more: PropertyDescriptorMap): T {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), ...more }) as T;
}

/** The schema under a component name, a noun of the interface in PascalCase. The name of an operation's input is that of
 * the body: what the path and headers hold is no part of it. */
export function named<T extends TSchema>(name: string, schema: T): T {
  if (!NAME.test(name)) throw new Error(`${name}: a component is named in PascalCase`);
  const component: Component = { name, shape: schema };
  return copyWith(schema, { [MARK]: { value: component, enumerable: false, configurable: true } });
}

/** An object under a component name, with a description of what it is: what most named shapes are. */
export function namedObject<P extends TProperties>(
  name: string,
  description: string,
  properties: P,
  options: { readonly additionalProperties?: true } = {},
): TObject<P> {
  return named(name, Type.Object(properties, { description, ...options }));
}

/** What other makers define and add to, such as what a browser gives: members that are not named here may stand in it. */
export const MAY_HOLD_MORE = { additionalProperties: true } as const;

/** A named schema with a description of the place where it stands, beside its own. */
export function described<T extends TSchema>(description: string, schema: T): T {
  return copyWith(schema, {
    description: { value: description, enumerable: true, configurable: true, writable: true },
  });
}

/** The name that a schema has, or null. */
export function componentOf(schema: object): Component | null {
  return MARK in schema ? (schema[MARK] as Component) : null;
}
