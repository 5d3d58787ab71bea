import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Middleware } from 'koa';
import { asSystem } from '../../db/tenant.ts';
import { directionOf } from '../../present/printed/formats.ts';
import { homeWords } from '../../words/home.ts';
import { spokenOf } from '../../words/languages.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { NoRoute } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import { gatewayOrigins } from './kit/gatewayFields.ts';
import { html } from './kit/html.ts';
import { moduleScript, wholeDocument } from './kit/page.ts';
import { dashboardPolicy } from './kit/policy.ts';
import { seeOther } from './kit/posted.ts';
import { HOME, type PageContext, signedIn, signInPath, usableMemberships } from './people/site.ts';

const READS = new Set(['GET', 'HEAD']);
const ASSET = /^\/dashboard\/assets\/([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.(js|css))$/;
const PLACE = /^\/dashboard\/(\d{1,9})\/(live|sandbox)(\/|$)/;
/** The only page on which a card or bank account is entered. */
const TAKES_SOURCE = /^\/dashboard\/\d+\/(live|sandbox)\/customers\/\d+\/add_source$/;
const YEAR_SECONDS = 31_536_000;
const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

/**
 * The dashboard: one page for all addresses of a place, for a person who is signed in, and the files of its build. `/dashboard` leads to the
 * first account of the person.
 */
export function dashboard(deps: ApiDeps): Middleware<ApiState> {
  return async (ctx, next) => {
    if (!/^\/dashboard(\/|$)/.test(ctx.path) || !READS.has(ctx.method)) return next();
    ctx.state.page = '/dashboard';
    if (!deps.dashboard) throw new NoRoute('The dashboard is not built here');
    const folder = await deps.dashboard();
    const [, name, kind] = ASSET.exec(ctx.path) ?? [];
    if (name && (kind === 'js' || kind === 'css')) return sendAsset(ctx, { folder, name, type: TYPES[kind] });
    await asSystem(() => sendPage(deps, ctx, folder));
  };
}

async function sendPage(deps: ApiDeps, ctx: PageContext, folder: string): Promise<void> {
  const session = await signedIn({ deps }, ctx);
  if (!session) return seeOther(ctx, signInPath(`${ctx.path}${ctx.search}`));
  if (PLACE.test(ctx.path)) return sendIndex(ctx, await readManifest(folder));
  const [first] = await usableMemberships(deps.em.fork(), session);
  seeOther(ctx, first ? `/dashboard/${first.accountId}/live` : HOME);
}

/** The language that a person chose in the dashboard. */
const LANGUAGE_COOKIE = 'language';

/** Names of files in the build: the first script, and its style sheet. */
interface Entry {
  file: string;
  css: string;
}

async function readManifest(folder: string): Promise<Entry> {
  const manifest: Record<string, { file?: string; isEntry?: boolean; css?: string[] } | undefined> = JSON.parse(
    await readFile(join(folder, 'manifest.json'), 'utf8'),
  );
  const entry = Object.values(manifest).find((one) => one?.isEntry);
  if (!entry?.file) throw new Error(`the build of the dashboard in ${folder} has no entry`);
  return { file: entry.file, css: entry.css?.[0] ?? '' };
}

/** The nonce admits the style elements that the library of controls adds. It reads it from the meta element. */
function sendIndex(ctx: PageContext, { file, css }: Entry): void {
  const nonce = randomBytes(16).toString('base64');
  const language = spokenOf([ctx.cookies.get(LANGUAGE_COOKIE) ?? '', ...ctx.acceptsLanguages()]);
  const body = html`<meta name="csp-nonce" content="${nonce}">
<noscript><p>${homeWords[language].dashboardScript}</p></noscript>
<div id="dashboard"></div>
${moduleScript(`/dashboard/assets/${file}`)}`;
  ctx.status = 200;
  ctx.type = 'text/html; charset=utf-8';
  ctx.set('Content-Security-Policy', dashboardPolicy(nonce, TAKES_SOURCE.test(ctx.path) ? gatewayOrigins : null));
  ctx.set('Vary', 'Accept-Language, Cookie');
  ctx.body = wholeDocument({
    language,
    direction: directionOf(language),
    title: 'Perennial',
    style: { href: `/dashboard/assets/${css}` },
    body,
    isSearchable: false,
  }).html;
}

/** Sends a file of the build, or of the build of another version on this machine, which an open page may still ask for. */
async function sendAsset(
  ctx: PageContext,
  { folder, name, type }: { folder: string; name: string; type: string },
): Promise<void> {
  const encoding = ctx.acceptsEncodings('br', 'identity') === 'br' ? 'br' : null;
  const bytes = await assetIn(folder, encoding ? `${name}.br` : name);
  if (bytes === null) throw new NoRoute('This version of the dashboard has no such file');
  ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`);
  ctx.set('Vary', 'Accept-Encoding');
  if (encoding) ctx.set('Content-Encoding', encoding);
  ctx.type = type;
  ctx.body = bytes;
}

async function assetIn(folder: string, name: string): Promise<Buffer | null> {
  const builds = (await readdir(dirname(folder))).filter((one) => /^dashboard-[0-9a-f]{16}$/.test(one));
  for (const build of [folder, ...builds.map((one) => join(dirname(folder), one))]) {
    const bytes = await readFile(join(build, name)).catch(() => null);
    if (bytes) return bytes;
  }
  return null;
}
