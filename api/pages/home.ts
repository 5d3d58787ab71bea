import type { Context, Middleware } from 'koa';
import { Account } from '../../db/schema/account.ts';
import { asSystem } from '../../db/tenant.ts';
import { presentAccount } from '../../present/accounts/account.ts';
import { type HomeWords, homeWords } from '../../words/home.ts';
import { spokenOf } from '../../words/languages.ts';
import { fill } from '../../words/text.ts';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';
import { icon } from './favicon.ts';
import { brandLine, wordsPage } from './hosted/page.ts';
import { linkButton } from './kit/forms.ts';
import { type Html, html } from './kit/html.ts';
import { answerPage, type Page } from './kit/page.ts';

const READS = new Set(['GET', 'HEAD']);
const API = /^(\/sandbox)?\/(api|oauth)(\/|$)/;
const DAY_SECONDS = 86_400;

/** The page at the root of the address, and the icon of the site. */
export function homePage({ em }: Pick<ApiDeps, 'em'>): Middleware<ApiState> {
  return async (ctx, next) => {
    if (!READS.has(ctx.method) || !['/', '/favicon.ico'].includes(ctx.path)) return next();
    ctx.state.page = ctx.path;
    if (ctx.path === '/') return answerPage(ctx, await home(ctx, em), 200);
    ctx.set('Cache-Control', `public, max-age=${DAY_SECONDS}`);
    ctx.type = 'image/x-icon';
    ctx.body = icon;
  };
}

/** Answers a browser whose address leads to nothing with a page. Programs get an error as JSON. */
export const missingHere: Middleware<ApiState> = async (ctx, next) => {
  const isBrowser = READS.has(ctx.method) && ctx.accepts('json', 'html') === 'html';
  if (!isBrowser || API.test(ctx.path)) return next();
  const { missing, missingWhy } = wordsFor(ctx);
  answerPage(ctx, wordsPage(ctx.acceptsLanguages(), { title: missing, why: missingWhy }), 404);
};

function wordsFor(ctx: Context): HomeWords {
  const words = homeWords[spokenOf(ctx.acceptsLanguages())];
  if (!words) throw new Error('the page has no words');
  return words;
}

async function home(ctx: Context, em: ApiDeps['em']): Promise<Page> {
  const words = wordsFor(ctx);
  const portal = await singlePortal(em);
  const toPortal = portal && linkButton(fill(words.portal, { seller: portal.name }), portal.url);
  const links = html`<p class="actions">${toPortal} ${linkButton(words.signIn, '/sign_in', 'plain')} ${linkButton(words.reference, '/docs', 'plain')}</p>`;
  const page = wordsPage(ctx.acceptsLanguages(), { title: words.title, why: words.what });
  return { ...page, top: brandLine, main: main(page.main, words, links) };
}

function main(said: Html, { invoice }: HomeWords, links: Html): Html {
  return html`${said}<p>${invoice}</p>${links}`;
}

/** The portal of the only business here; null: there are several, or it has none. Several are never listed. */
async function singlePortal(em: ApiDeps['em']): Promise<{ name: string; url: string } | null> {
  const [account, another] = await asSystem(() => em.fork().find(Account, { environment: 'live' }, { limit: 2 }));
  const url = account && !another ? presentAccount({ account, series: [] }).portal_url : null;
  return account && typeof url === 'string' ? { name: account.name, url } : null;
}
