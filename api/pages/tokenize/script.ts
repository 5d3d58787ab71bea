import { readFileSync } from 'node:fs';
import { bankForms } from '../../../billing/payments/bankForms.ts';
import { stripeDecimals } from '../../../billing/payments/stripeUnits.ts';
import { fieldWords } from '../../../words/fields.ts';
import { type ServedScript, servedScript } from '../kit/servedScript.ts';

/** The text of a script without its comments and indentation, which no reader of a page needs. Its lines stay. */
function sourceOf(name: string): string {
  const text = readFileSync(new URL(`./${name}.js`, import.meta.url), 'utf8');
  return text.replaceAll(/^\s*(?:\/\/.*|\/\*\*[\s\S]*?\*\/)\n| \/\/ .*$/gm, '').replaceAll(/^\s+/gm, '');
}

const given = (name: string, value: object) => `const ${name} = ${JSON.stringify(value)};\n`;
const whole = (...parts: readonly string[]) => `(() => {\n${parts.join('')}})();\n`;
const mounting = sourceOf('browser');

/** The fields of each gateway. */
const fields = {
  test: given('bankForms', bankForms) + sourceOf('fields'),
  stripe: given('stripeDecimals', stripeDecimals) + sourceOf('stripe'),
};

/** The script that mounts the fields of a gateway, the path of this version, and what serves it. Pages of any origin may load it. */
export const tokenize = servedScript(
  'tokenize',
  whole(given('words', fieldWords), mounting, fields.test, fields.stripe),
  { isShared: true },
);

/** The script of our own pages, by the gateway whose fields they mount: it also looks after their forms. They give it the words. */
export const pageScripts = {
  test: pageScript('pages', fields.test),
  stripe: pageScript('pages-stripe', fields.stripe),
};

function pageScript(name: string, gateway: string): ServedScript {
  return servedScript(name, whole(given('words', {}), mounting, gateway, sourceOf('page')), { isShared: true });
}
