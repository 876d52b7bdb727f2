// Refusals that name fields of a form: which are displayed at their fields, so that each is displayed once, and what the form calls the
// others.
import { type Signal, signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { MeshworkError } from '../../client/error.ts';

/** A path of a refusal for which the form has a field. */
interface Named {
  readonly label: string;
  /** The field that displays it; null where it displays another one. */
  readonly at: HTMLElement | null;
}

type Fields = ReadonlyMap<string, Named>;

const known = new WeakMap<MeshworkError, Signal<Fields>>();

function fieldsOf(error: MeshworkError): Signal<Fields> {
  const found = known.get(error) ?? signal<Fields>(new Map());
  known.set(error, found);
  return found;
}

const isIn = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`);

/** A refusal's error for one input field or a path inside it. */
export function problemOf(error: MeshworkError | null | undefined, name: string | undefined): string | null {
  return error?.fields.find(({ path }) => name !== undefined && isIn(path, name))?.message ?? null;
}

/** Notes the paths of a refusal that belong to a field; the field displays the first. */
export function useNamed(
  error: MeshworkError | null | undefined,
  name: string | undefined,
  label: string,
  place: RefObject<HTMLElement>,
): void {
  useLayoutEffect(() => {
    const own = error?.fields.filter(({ path }) => name !== undefined && isIn(path, name)) ?? [];
    if (!error || own.length === 0) return undefined;
    const fields = fieldsOf(error);
    const at = place.current?.querySelector<HTMLElement>('input, textarea') ?? null;
    fields.value = new Map([
      ...fields.value,
      ...own.map(({ path }, n) => [path, { label, at: n === 0 ? at : null }] as const),
    ]);
    return () => {
      fields.value = new Map([...fields.value].filter(([path]) => !own.some((each) => each.path === path)));
    };
  }, [error, name, label]);
}

/** What the form calls the last part of a path that it has no field for. */
function nameOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path;
  return name.replace(/_cents$/, '').replaceAll('_', ' ');
}

interface Left {
  readonly name: string;
  readonly path: string;
  readonly message: string;
}

/** The errors of a refusal that no field displays, and the fields that display the others. */
export function leftOf(error: MeshworkError): { readonly left: readonly Left[]; readonly at: readonly HTMLElement[] } {
  const fields = fieldsOf(error).value;
  const left = error.fields.filter(({ path }) => !fields.get(path)?.at);
  const named = left.map((each) => ({ ...each, name: fields.get(each.path)?.label ?? nameOf(each.path) }));
  return { left: named, at: [...fields.values()].flatMap(({ at }) => at ?? []) };
}
