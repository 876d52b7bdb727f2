// meshwork version: the version of the service, and of the Bun that runs it.

import { defineCommand } from 'citty';
import manifest from '../../package.json' with { type: 'json' };

export const version = defineCommand({
  meta: { name: 'version', description: 'print the version' },
  run: () => console.log(`meshwork ${manifest.version} (bun ${Bun.version}, ${process.platform}-${process.arch})`),
});
