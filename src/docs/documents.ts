// The documents that the service shows and searches. The single binary holds them compressed: scripts/build-binary.ts replaces this file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where each lies, from this folder. */
const PATHS = {
  'README.md': '../../README.md',
  'client/README.md': '../client/README.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  'a2a.md': 'a2a.md',
  'errors.md': 'errors.md',
  'events.md': 'events.md',
  'guide.md': 'guide.md',
  'matching.md': 'matching.md',
  'negotiation.md': 'negotiation.md',
  'operate.md': 'operate.md',
  'operations.md': 'operations.md',
  'security.md': 'security.md',
  'states.md': 'states.md',
  'watch/alerts.yml': 'watch/alerts.yml',
  'watch/grafana.json': 'watch/grafana.json',
} as const;

export type DocumentName = keyof typeof PATHS;

const FOLDER = import.meta.dir;

/** The texts by name; read at each call, since few calls come and the texts are large. */
export function documents(): Readonly<Record<DocumentName, string>> {
  const texts = Object.entries(PATHS).map(([name, path]) => [name, readFileSync(join(FOLDER, path), 'utf8')]);
  return Object.fromEntries(texts) as Record<DocumentName, string>;
}
