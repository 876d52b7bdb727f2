// The settings of the running service, for `meshwork config show`: those of a shell may differ. Secrets are masked.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { nullable } from '../../schemas/wire.ts';

export const platformSettings = query({
  name: 'platform.settings',
  needed_by: 'the command `meshwork config show`',
  summary: 'Read the settings of the service',
  description: 'For a secret it shows only that it is set.',
  input: Type.Object({}),
  output: Type.Array(
    namedObject('ServiceSetting', 'a setting of the service', {
      name: Type.String(),
      value: nullable(Type.String(), 'null where nothing is set'),
      from: nullable(Type.String(), '`default`, `environment` or the path of a file'),
    }),
  ),
  access: 'platform',
  rest: [{ method: 'GET', path: '/internal/settings' }],
  run: async (_read, _input, { settings }) => [...settings.shown],
});
