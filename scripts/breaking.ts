// Prints what breaks clients between a released OpenAPI document and the one of this checkout. Run by scripts/breaking.
import { registry } from '../src/operations/registry.ts';
import { openapiDocument } from '../src/transports/openapi.ts';
import { breakingChanges, type OpenApi } from '../test/support/breaking.ts';

const [from = ''] = process.argv.slice(2);
const released: OpenApi = await (/^https?:/.test(from) ? (await fetch(from)).json() : Bun.file(from).json());
const changes = breakingChanges(released, openapiDocument(registry(), 'https://meshwork.test'));
for (const change of changes) console.log(change);
process.exitCode = changes.length === 0 ? 0 : 1;
