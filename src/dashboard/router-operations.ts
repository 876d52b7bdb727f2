// Those of the operations that the screens call which are about capabilities.
import type { capabilityList } from '../operations/capability/list.ts';
import type { providerList } from '../operations/provider/list.ts';
import type { providerRegister } from '../operations/provider/register.ts';
import type { providerTest } from '../operations/provider/test.ts';
import type { routerCallList } from '../operations/router-call/list.ts';

export interface RouterOperations {
  readonly 'capability.list': typeof capabilityList;
  readonly 'provider.list': typeof providerList;
  readonly 'provider.register': typeof providerRegister;
  readonly 'provider.test': typeof providerTest;
  readonly 'router_call.list': typeof routerCallList;
}
