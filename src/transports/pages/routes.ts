// All pages that people see, made on the server: those of the built-in payment processor, and those of people who sign in.
import type { PlainRoute } from '../app.ts';
import type { DoorPorts } from '../door-ports.ts';
import type { RestDoor } from '../rest.ts';
import { accountProofPage } from './account-proof.ts';
import { CONSENT_PAGE } from './consent.ts';
import { devicePage } from './device.ts';
import { pageRoutes } from './door.ts';
import { frontRoute } from './front.ts';
import { handoffPage } from './handoff.ts';
import { profileRoute } from './profile.ts';
import { proofsPage } from './proofs.ts';
import { sandboxRoutes } from './sandbox.ts';
import { setUpPage } from './set-up.ts';
import { signInPages, signInScript } from './sign-in.ts';
import { unsubscribeRoutes } from './unsubscribe.ts';
import { ENGLISH, type TongueOf } from './words.ts';

/** Their routes. There is one language so far, whoever asks. */
export function peopleRoutes(
  ports: DoorPorts,
  door: RestDoor,
  tongueOf: TongueOf = () => ENGLISH,
): readonly PlainRoute[] {
  return [
    ...sandboxRoutes(ports, door, tongueOf),
    ...pageRoutes(
      ports,
      door,
      [
        ...signInPages(ports),
        devicePage(ports),
        CONSENT_PAGE,
        handoffPage(ports),
        setUpPage(ports),
        proofsPage(ports),
        accountProofPage(ports),
        profileRoute(ports),
      ],
      tongueOf,
    ),
    ...unsubscribeRoutes(ports, door, tongueOf),
    signInScript(ports),
    frontRoute(ports, tongueOf),
  ];
}
