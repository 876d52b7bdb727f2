// German, with people addressed as "Sie". What is missing is shown in English; test/dashboard/german.test.ts tells what that is.
import type { Translated } from '../../domain/language.ts';
import { accounts, common, devices, failed, invitations, notifications, passkeys, sums, trust } from './de-account.ts';
import { agents, analytics, autopilot, knowledge, labels, listings, nav, onboarding, policies } from './de-agents.ts';
import { approvals, deals, disputes, escrows, room, turns } from './de-deals.ts';
import { actions, conversations, inbox, matches, meetings, people } from './de-matches.ts';
import {
  billing,
  calls,
  checkout,
  demand,
  earnings,
  market,
  payouts,
  selling,
  subscriptions,
  wallet,
} from './de-money.ts';
import type { en } from './en.ts';

const german = {
  common,
  failed,
  sums,
  accounts,
  actions,
  agents,
  analytics,
  approvals,
  autopilot,
  policies,
  calls,
  conversations,
  deals,
  demand,
  disputes,
  escrows,
  devices,
  inbox,
  knowledge,
  labels,
  listings,
  market,
  checkout,
  selling,
  earnings,
  matches,
  meetings,
  nav,
  notifications,
  onboarding,
  people,
  passkeys,
  invitations,
  billing,
  payouts,
  room,
  subscriptions,
  trust,
  turns,
  wallet,
};

export const texts: Translated<typeof en> = german;
