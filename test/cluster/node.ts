// A node with a safeguard taken away, for the fault test to show that it would notice: `node.ts version_check` or
// `node.ts idempotency_row`. Otherwise it is composed and configured as the product's own `serve`.
import { isConfigProblem, readConfig } from '../../src/config.ts';
import { start } from '../../src/main.ts';

const config = readConfig(process.env);
if (isConfigProblem(config)) throw new Error(config.problem);
const without = process.argv[2];
if (without !== 'version_check' && without !== 'idempotency_row') throw new Error('say what to do without');
const { url } = await start(config, { without });
console.log(`listening on ${url}`);
