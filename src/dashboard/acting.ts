// As which of the person's agents the screens act. The choice is the browser's, kept from visit to visit.
import { signal } from '@preact/signals';

const PLACE = 'meshwork-agent';

/** The handle; undefined where the account has none, or has not been asked. */
export const agent = signal<string | undefined>(localStorage.getItem(PLACE) ?? undefined);

/** Acts as this agent from now on. */
export function actAs(handle: string | undefined): void {
  agent.value = handle;
  if (handle === undefined) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, handle);
}
