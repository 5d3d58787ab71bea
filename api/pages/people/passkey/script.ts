import { readFileSync } from 'node:fs';
import { servedScript } from '../../kit/servedScript.ts';

/** The library as one file for browsers, which defines `SimpleWebAuthnBrowser`. Its package exports only modules. */
const library = new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser'));
const source = readFileSync(new URL('./browser.js', import.meta.url), 'utf8');

/** The script of the pages on which people use passkeys. */
export const passkeyScript = servedScript('passkeys', `${readFileSync(library, 'utf8')}\n(() => {\n${source}})();\n`, {
  isShared: false,
});
