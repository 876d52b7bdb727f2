// All methods of this door, by name. A method knows which revisions have it; in the others it does not exist.
import { discoveryMethods } from './discovery.ts';
import type { Methods } from './exchange.ts';
import { listeningMethods } from './listening.ts';
import { loggingMethods } from './logging-methods.ts';
import type { Offer } from './offer.ts';
import { promptMethods } from './prompt-methods.ts';
import { resourceMethods } from './resources.ts';
import type { MethodPorts } from './run-operation.ts';
import { toolMethods } from './tool-methods.ts';

/** The table that the door looks methods up in. */
export function methodTable(offer: () => Offer, ports: MethodPorts): Methods {
  const { form, side } = ports;
  return new Map([
    ...discoveryMethods(form),
    ...toolMethods(offer, form),
    ...resourceMethods(ports),
    ...promptMethods(ports),
    ...listeningMethods(ports),
    ...loggingMethods(side, form),
  ]);
}
