// The browser script of the API reference. The single binary holds it compressed: scripts/build-binary.ts puts that in this file's place.
// The package exports no path to its browser build, so the file is named where it lies.
import script from '../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with { type: 'file' };

export const referenceScript = (): Promise<Uint8Array> => Bun.file(script).bytes();
