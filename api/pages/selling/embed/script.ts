import { readFileSync } from 'node:fs';
import { servedScript } from '../../kit/servedScript.ts';

const source = readFileSync(new URL('./browser.js', import.meta.url), 'utf8');

/** Serves the script by which a business links a sign-up page or a payment link on its own site. */
export const embedScript = servedScript('embed', source, { isShared: true });
