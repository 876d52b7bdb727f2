// What few starts need lies compressed in the single binary, without bytecode, and is unpacked at its first use: packages that one
// operation or setting uses, documents, the scripts of pages. What takes more than 20 ms to load so, as the packages of passkeys do in the
// midst of a request, is not packed.
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import type { BunPlugin } from 'bun';

const ROOT = join(import.meta.dir, '../..');

/** The beginning of a module that holds a text compressed, as `unpack()`. */
export async function packed(name: string, text: string | Uint8Array): Promise<string> {
  const path = join(ROOT, '.bun/packed', `${name}.zst`);
  await Bun.write(path, Bun.zstdCompressSync(text, { level: 22 }));
  return `import file from ${JSON.stringify(path)} with { type: 'file' };
    import { readFileSync } from 'node:fs';
    const unpack = () => Bun.zstdDecompressSync(readFileSync(file));\n`;
}

interface PackedPackage {
  /** What our code imports of it. */
  readonly names: readonly string[];
  /** Imported at the start: loaded when one of its functions, which are all that is imported, is first called. */
  readonly functions?: true;
}

/** The packages, by the name that our code imports. */
const PACKAGES: Readonly<Record<string, PackedPackage>> = {
  '@modelcontextprotocol/sdk/client/streamableHttp.js': { names: ['StreamableHTTPClientTransport'] },
  '@modelcontextprotocol/sdk/server/stdio.js': { names: ['StdioServerTransport'] },
  'acme-client': { names: ['Client', 'crypto'] },
  'libphonenumber-js/mobile': { names: ['isSupportedCountry', 'parsePhoneNumberFromString'], functions: true },
  nodemailer: { names: ['createTransport'] },
  parse5: { names: ['Tokenizer', 'TokenizerMode'] },
  'postal-mime': { names: ['default'] },
  'smtp-server': { names: ['SMTPServer'] },
  stripe: { names: ['default'] },
  tldts: { names: ['getDomain', 'parse'], functions: true },
};

/** Makes a package one text: an expression whose value is a function of a CommonJS module. */
async function textOf(specifier: string, { names }: PackedPackage): Promise<string> {
  const entry = join(ROOT, 'src/packed.ts');
  const contents = `export { ${names.join(', ')} } from ${JSON.stringify(specifier)};`;
  const built = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: contents },
    target: 'bun',
    format: 'cjs',
    minify: true,
  });
  const text = (await built.outputs[0]?.text()) ?? '';
  const made = { exports: {} as Record<string, unknown> };
  runInThisContext(text)(made.exports, import.meta.require, made, specifier, '/');
  const missing = names.find((name) => made.exports[name] === undefined);
  if (missing !== undefined) throw new Error(`${specifier} has no ${missing} once it is packed`);
  return text;
}

async function moduleOf(specifier: string, used: PackedPackage): Promise<string> {
  const beginning = await packed(specifier.replaceAll('/', '-'), await textOf(specifier, used));
  const load = `import { runInThisContext } from 'node:vm';
    let module;
    function load() {
      if (module === undefined) {
        module = { exports: {} };
        runInThisContext(unpack().toString())(module.exports, import.meta.require, module, file, '/');
      }
      return module.exports;
    }`;
  const exported = used.names.map((name) => {
    if (used.functions) return `export const ${name} = (...given) => load().${name}(...given);`;
    return name === 'default' ? 'export default load().default;' : `export const ${name} = load().${name};`;
  });
  return [beginning, load, ...exported].join('\n');
}

/** Loads the packages from their packed texts. */
export async function packPackages(): Promise<BunPlugin> {
  // Made before the build begins: one build within another waits for itself.
  const modules = new Map<string, string>();
  for (const [specifier, used] of Object.entries(PACKAGES)) modules.set(specifier, await moduleOf(specifier, used));
  const filter = new RegExp(`^(${[...modules.keys()].map((each) => each.replaceAll('.', '\\.')).join('|')})$`);
  return {
    name: 'pack-packages',
    setup: (build) => {
      build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'packed' }));
      build.onLoad({ filter: /./, namespace: 'packed' }, ({ path }) => ({
        contents: modules.get(path) ?? '',
        loader: 'js',
      }));
    },
  };
}
