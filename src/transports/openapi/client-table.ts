// The table of operations for clients, which replaces src/client/operations.ts when the client package and the web app are
// built.
import type { Address } from '../../client/operations.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import { openapiDocument } from '../openapi.ts';
import { isMutation } from './responses.ts';

interface Described {
  readonly operationId: string;
}

/** The paths of the document, as far as the table reads them. */
type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

/** The name, in the document's path, of a parameter that the binding's own path may call otherwise. */
function namedAs(name: string | undefined, own: string, documented: string): string | undefined {
  const names = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, found = '']) => found);
  return name === undefined ? undefined : names(documented)[names(own).indexOf(name)];
}

/** The row of an operation at the address that the document gives it. */
function addressOf(operation: AnyOperation, path: string): Address | undefined {
  const binding = operation.rest.find(({ alias }) => !alias);
  if (!binding) return undefined;
  const acting = namedAs(binding.acting, binding.path, path);
  const { last_event_id, ...headers } = binding.headers ?? {};
  const resumed = last_event_id === undefined ? 'after' : 'last_event_id';
  return {
    method: binding.method,
    path,
    ...(isMutation(operation) && { write: true as const }),
    ...(operation.agent !== undefined && acting === undefined && { agent: true as const }),
    ...(acting !== undefined && { acting }),
    ...(last_event_id !== undefined && { headers: { ...headers, last_event_id } }),
    ...(last_event_id === undefined && binding.headers && { headers }),
    ...(operation.raw && { raw: operation.raw.type }),
    ...(operation.form && { form: true as const }),
    ...(operation.paged && { paged: true as const }),
    ...(operation.kind === 'stream' && { resume: resumed }),
  };
}

/** Where each operation is reached, by its name; those without an address are left out. */
export function clientTable(operations: readonly AnyOperation[]): Readonly<Record<string, Address>> {
  const { paths } = openapiDocument(operations, 'https://meshwork.invalid') as { readonly paths: Paths };
  const at = new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.values(item).map((each) => [each.operationId, path] as const),
    ),
  );
  const rows = operations.flatMap((operation) => {
    const path = at.get(operation.name);
    const address = path === undefined ? undefined : addressOf(operation, path);
    return address ? [[operation.name, address] as const] : [];
  });
  return Object.fromEntries(rows);
}
