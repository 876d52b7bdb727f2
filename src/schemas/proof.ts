// Shapes of proofs of accounts on other sites.
import { Type } from 'typebox';
import { ACCOUNT_HOSTS } from '../domain/identity/account-host.ts';
import { named } from './named.ts';

export const AccountSiteName = named(
  'AccountSiteName',
  Type.Enum(ACCOUNT_HOSTS, { description: '`oidc` is a further provider of this server’s choice' }),
);
