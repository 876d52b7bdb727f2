// What a client chooses to be shown of the tools, by the address that it calls: `?toolset=` and `?schemas=full`.
import { type Fault, invalid } from '../../domain/fault.ts';
import type { Choice } from './exchange.ts';
import { ALL_TOOLS, CORE_TOOLS, OTHER_NAMES, SETS } from './offer.ts';

const TOOLSET = 'toolset';
const SCHEMAS = 'schemas';

const NAMES: readonly string[] = [CORE_TOOLS, ALL_TOOLS, ...SETS];

const NO_CHOICE: Choice = { toolset: null, schemas: false };

/** The choice of an address, or what is wrong with it. */
export function choiceOf(url: string): Choice | Fault {
  if (!url.includes('?')) return NO_CHOICE;
  const { searchParams } = new URL(url);
  const asked = searchParams
    .getAll(TOOLSET)
    .flatMap((each) => each.split(','))
    .filter(Boolean)
    .map((set) => OTHER_NAMES.get(set) ?? set);
  if (asked.some((set) => !NAMES.includes(set))) {
    return invalid({ path: TOOLSET, message: `no set has that name; the sets are ${NAMES.join(', ')}` });
  }
  const schemas = searchParams.get(SCHEMAS) ?? '';
  if (schemas !== '' && schemas !== 'full') return invalid({ path: SCHEMAS, message: 'must be full, or left out' });
  return { toolset: asked.length > 0 ? new Set(asked) : null, schemas: schemas === 'full' };
}

/** The query of an address that chooses the same, to follow another parameter. */
export function choiceQuery(url: string): string {
  const { searchParams } = new URL(url);
  const kept = new URLSearchParams();
  for (const [name, value] of searchParams) if (name === TOOLSET || name === SCHEMAS) kept.append(name, value);
  return kept.size > 0 ? `&${kept}` : '';
}
