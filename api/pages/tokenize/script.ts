import { readFileSync } from 'node:fs';
import { stripeDecimals } from '../../../billing/payments/stripeUnits.ts';
import { fieldWords } from '../../../present/printed/fieldWords.ts';
import { servedScript } from '../kit/servedScript.ts';

const source = readFileSync(new URL('./browser.js', import.meta.url), 'utf8');
const given = `const words = ${JSON.stringify(fieldWords)};\nconst stripeDecimals = ${JSON.stringify(stripeDecimals)};\n`;

/** The script that mounts the fields of a gateway, the path of this version, and what serves it. Pages of any origin may load it. */
export const {
  body: script,
  path: tokenizePath,
  serve: tokenizeScript,
} = servedScript('tokenize', `(() => {\n${given}${source}})();\n`, { isShared: true });
