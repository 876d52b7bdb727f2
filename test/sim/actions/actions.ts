// What people do, by the operation. Those that are not here are sent their example (by-example.ts).
import type { AnyOperation } from '../../../src/contract/operation.ts';
import type { Action } from '../planned.ts';
import { AGENTS } from './agents.ts';
import { byExample } from './by-example.ts';
import { DEMAND } from './demand.ts';
import { DEVICES } from './devices.ts';
import { IDENTITY } from './identity.ts';
import { KNOWLEDGE } from './knowledge.ts';
import { LISTINGS } from './listings.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { OUTSIDE } from './outside.ts';
import { PAYMENTS } from './payments.ts';
import { PLATFORM_ACTIONS } from './platform.ts';
import { PROGRAMS } from './programs.ts';
import { ROUTER } from './router.ts';
import { TALK } from './talk.ts';

const ACTIONS: Readonly<Record<string, Action>> = {
  ...IDENTITY,
  ...DEVICES,
  ...AGENTS,
  ...LISTINGS,
  ...TALK,
  ...OUTSIDE,
  ...NOTIFICATIONS,
  ...PLATFORM_ACTIONS,
  ...PAYMENTS,
  ...PROGRAMS,
  ...DEMAND,
  ...ROUTER,
  ...KNOWLEDGE,
};

/** An action for every operation that can be reached from outside, by its name. */
export function actionsFor(operations: readonly AnyOperation[]): Readonly<Record<string, Action>> {
  const outer = operations.filter(({ access }) => access !== 'internal');
  const stale = Object.keys(ACTIONS).find((name) => outer.every((operation) => operation.name !== name));
  if (stale) throw new Error(`an action is named ${stale}, as no operation is`);
  return Object.fromEntries(
    outer.map((operation) => [operation.name, ACTIONS[operation.name] ?? byExample(operation)]),
  );
}

/** How a person begins, in this order, as often as it takes. */
export const BEGINNING: readonly string[] = [
  'signup.start',
  'signup.verify',
  'agent.create',
  'session.start',
  'session.verify',
  'phone.send',
  'phone.verify',
  'onboarding.intake',
  'listing.create',
  'listing.create',
];

/** What one call leads to, if it was answered well. */
export const THEN: Readonly<Record<string, readonly string[]>> = {
  'login.start': ['login.verify'],
  'session.link': ['link.redeem', 'session.exchange'],
  'account.change_address': ['account.confirm_address'],
  'platform.admin_set_up': ['admin.set_up'],
  'session.start': ['session.verify'],
  'session.exchange': ['passkey.options', 'browser.subscribe'],
  'passkey.options': ['passkey.register', 'session.passkey_options', 'session.passkey', 'passkey.rename'],
  'passkey.rename': ['passkey.remove'],
  'browser.subscribe': ['inbox.test', 'browser.remove'],
  'keypair.register': ['challenge.issue', 'challenge.verify', 'oauth.token'],
  'site.verify': ['site.verify', 'site.verify', 'platform.clock'],
  'phone.verify': ['trust.connect'],
  // The first look tells what is to stand in the DNS.
  'listing.verify': ['listing.verify'],
  'session.depart': ['session.arrive'],
  'trust.connect': ['trust.finish', 'platform.clock'],
  'inbox.pull': ['inbox.respond'],
  'handoff.link': ['session.start', 'session.verify', 'handoff.read', 'handoff.use', 'provision.successor'],
  'device.code': ['session.start', 'session.verify', 'device.look', 'device.approve', 'device.token'],
  'device.authorize': ['device.approve', 'device.token'],
  'provision.create': [
    'handoff.link',
    'session.start',
    'session.verify',
    'handoff.use',
    'provision.successor',
    'provision.claim',
    'provision.verify',
    'platform.clock',
  ],
  'funding.start': ['sandbox.page', 'sandbox.decide'],
  'billing.checkout': ['sandbox.decide', 'billing.status', 'billing.cancel'],
  'payee.connect': ['sandbox.decide', 'payee.status'],
  'key.create': ['key.list', 'key.revoke'],
  'oauth.register': ['session.start', 'session.verify', 'oauth.authorize', 'oauth.decide', 'oauth.decide'],
  'oauth.decide': ['oauth.token', 'program.list', 'program.revoke', 'oauth.token'],
  'agent.deactivate': ['agent.restore'],
  'agent.block': ['message.send', 'agent.unblock'],
  'conversation.start': ['message.list'],
  'knowledge.add': ['knowledge.search', 'knowledge.list', 'knowledge.remove'],
  'provider.register': ['provider.test', 'provider.list'],
  'router_call.make': ['router_call.read', 'router_call.list'],
  'demand.post': ['demand.read', 'demand.award', 'demand.update', 'demand.award', 'demand.close'],
  'demand.quote': ['demand.post'],
  'match.feedback': ['message.send'],
  'proposal.propose': ['proposal.approve', 'proposal.approve'],
  'meeting.schedule': ['meeting.list', 'platform.clock', 'meeting.complete'],
  'message.send': ['message.list'],
  'task.send': ['task.get', 'push_config.create', 'message.send'],
  'push_config.create': ['push_config.read', 'push_config.list', 'message.send', 'push_config.delete'],
  'task.cancel': ['task.get'],
  'webhook.create': ['webhook.read', 'webhook.test', 'webhook.rotate', 'inbox.test', 'webhook.update', 'webhook.logs'],
  'webhook.update': ['webhook.enable'],
  'webhook.logs': ['webhook.delete'],
};

/** What somebody does that the service then runs something for. */
const SETS_OFF: Readonly<Record<string, string>> = {
  'listing.measure': 'listing.verify',
  'listing.hold': 'site.verify',
  'forward.follow': 'agent.update',
  'provider.gather': 'router_call.make',
  'webhook.ended': 'webhook.create',
};

/** The operations, with those that lead to them. */
export function withWhatLeadsTo(names: readonly string[]): readonly string[] {
  const found = new Set(names);
  // What leads to something is added behind it, and so is looked at in its turn.
  for (const name of found) {
    const first = SETS_OFF[name];
    if (first !== undefined) found.add(first);
    for (const [led, then] of Object.entries(THEN)) if (then.includes(name)) found.add(led);
  }
  return [...found];
}

/** What people do more often than the rest. */
export const OFTEN: readonly string[] = [
  'provider.register',
  'router_call.make',
  'router_call.make',
  'message.send',
  'message.send',
  'match.feedback',
  'match.feedback',
  'inbox.respond',
  'listing.create',
  'listing.update',
  'listing.verify',
  'site.verify',
  'site.verify',
  'trust.connect',
  'inbox.pull',
  'agent.update',
  'agent.update',
  'agent.update',
  'conversation.read',
  'conversation.close',
  'conversation.start',
  'task.send',
  'task.send',
  'task.send',
  'task.cancel',
  'agent.block',
  'login.start',
  'session.start',
  'key.create',
  'keypair.register',
  'session.link',
  'webhook.create',
  'webhook.redeliver',
  'notification.prefer',
  'demand.post',
  'demand.quote',
  'demand.award',
];
