// The service as a whole, for callers that get a 401 of a REST address.
import { RESOURCES } from '../../domain/identity/resource.ts';
import { resourceMetadata } from '../../steps/oauth/resource.ts';

export const oauthResource = resourceMetadata(
  {
    name: 'oauth.resource',
    summary: 'Metadata of the service as a protected resource',
    description:
      'Who issues access tokens for the service, and their scopes (RFC 9728). A token for it works at every address.',
  },
  RESOURCES.service,
  'Meshwork',
);
