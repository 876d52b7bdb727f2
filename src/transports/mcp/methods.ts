// All methods of this door, by name. A method knows which revisions have it; in the others it does not exist.
import type { StepForm } from '../../domain/next-step.ts';
import { discoveryMethods } from './discovery.ts';
import type { Methods } from './exchange.ts';
import type { Offer } from './offer.ts';
import { toolMethods } from './tool-methods.ts';

/** The table that the door looks methods up in. */
export function methodTable(offer: () => Offer, form: StepForm): Methods {
  return new Map([...discoveryMethods(form), ...toolMethods(offer, form)]);
}
