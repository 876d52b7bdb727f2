// The browser script of the API reference. The single binary contains it compressed: scripts/build-binary.ts replaces this file. The
// package exports no path to its browser build, so the file is named by its path.
import script from '../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with { type: 'file' };

export const referenceScript = (): Promise<Uint8Array> => Bun.file(script).bytes();
