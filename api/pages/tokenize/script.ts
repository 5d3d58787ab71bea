import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Middleware } from 'koa';
import { stripeDecimals } from '../../../billing/payments/stripeUnits.ts';
import { fieldWords } from '../../../present/printed/fieldWords.ts';
import type { ApiState } from '../../framework/state.ts';

const source = readFileSync(new URL('./browser.js', import.meta.url), 'utf8');
const given = `const words = ${JSON.stringify(fieldWords)};\nconst stripeDecimals = ${JSON.stringify(stripeDecimals)};\n`;
/** The script as browsers get it. */
export const script = Buffer.from(`(() => {\n${given}${source}})();\n`);
const version = createHash('sha256').update(script).digest('hex').slice(0, 12);

const LATEST = '/js/tokenize.js';
/** The path of this version of the script, which browsers keep for a year. */
export const tokenizePath = `/js/tokenize.${version}.js`;
const VERSIONED = /^\/js\/tokenize\.[0-9a-f]{12}\.js$/;
const FIVE_MINUTES = 300;
const YEAR = 31_536_000;

/**
 * Serves the script that mounts the fields of a gateway. Pages of any origin may load it. Other versions than this one are answered with this
 * one for five minutes only, so that pages work while servers are upgraded.
 */
export const tokenizeScript: Middleware<ApiState> = async (ctx, next) => {
  if (ctx.path !== LATEST && !VERSIONED.test(ctx.path)) return next();
  ctx.state.page = LATEST;
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  const isFixed = ctx.path === tokenizePath;
  ctx.set('Cache-Control', isFixed ? `public, max-age=${YEAR}, immutable` : `public, max-age=${FIVE_MINUTES}`);
  ctx.type = 'text/javascript; charset=utf-8';
  ctx.etag = version;
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = script;
};
