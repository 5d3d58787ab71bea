import { Refusal } from '../../../billing/refusal.ts';
import { isUnavailable } from '../../../db/failure.ts';
import { refuseNulInUrl, withoutNul } from '../../body/nul.ts';
import { isForeignBasic } from '../../framework/foreign.ts';
import { received } from '../../limits/receiving.ts';
import { TooManyTries } from '../people/throttle.ts';
import type { PageContext, PageHandler, Site } from './place.ts';
import { authorizationQuery } from './returning.ts';
import { AWAY } from './storage.ts';
import { countTry } from './throttle.ts';

/** The authorization endpoint, which browsers visit. */
export const authorizationEndpoint: PageHandler = async (site, ctx) => {
  await countTry(site.storing, 'authorize_address', ctx.ip);
  const query = authorizationQuery(ctx.querystring);
  await pass(site, ctx, { search: query === '' ? '' : `?${query}`, accept: 'text/html' });
};

/** The endpoints that applications call. Every response is JSON. Basic credentials in a request of another site's page are refused. */
export const applicationEndpoint: PageHandler = async (site, ctx) => {
  if (isForeignBasic((name) => ctx.get(name), new URL(site.deps.publicUrl).origin)) {
    ctx.status = 403;
    ctx.body = { error: 'invalid_request', error_description: 'Web pages of other sites cannot use a client secret' };
    return;
  }
  try {
    await countTry(site.storing, 'token_address', ctx.ip);
    refuseNul(ctx);
  } catch (error) {
    if (error instanceof Refusal) return refuse(ctx, error);
    if (error instanceof TooManyTries) return askLater(ctx, 429, error);
    if (isUnavailable(error)) return askLater(ctx, 503, AWAY);
    throw error;
  }
  const iterator = ctx.req.iterator.bind(ctx.req);
  // The library reads the form with this iterator, and answers invalid_request when it throws.
  ctx.req.iterator = (options) => withoutNul(received(iterator(options)));
  await pass(site, ctx, { search: '', accept: 'application/json' });
};

function askLater(
  ctx: PageContext,
  status: 429 | 503,
  { message, seconds }: { message: string; seconds: number },
): void {
  ctx.status = status;
  ctx.set('Retry-After', String(seconds));
  ctx.body = { error: 'temporarily_unavailable', error_description: message };
}

/** Throws a Refusal for a null character in the URL or in the application's credentials. */
function refuseNul(ctx: PageContext): void {
  refuseNulInUrl(ctx);
  const [, encoded = ''] = /^basic\s+(\S+)/i.exec(ctx.get('Authorization')) ?? [];
  const credentials = Buffer.from(encoded, 'base64').toString('utf8');
  if (/%00|\0/.test(credentials))
    throw new Refusal('parameter_invalid', 'Credentials must not contain null characters', 'Authorization');
}

function refuse(ctx: PageContext, { message }: Refusal): void {
  ctx.status = 400;
  ctx.body = { error: 'invalid_request', error_description: message };
}

/** Passes a request to the OAuth library. */
async function pass(site: Site, ctx: PageContext, as: { search: string; accept: string }): Promise<void> {
  const { req, res } = ctx;
  const path = ctx.path.slice(site.place.prefix.length);
  const url = `${path}${as.search}`;
  req.headers.accept = as.accept;
  Object.assign(req, { url, originalUrl: `${site.place.prefix}${url}` });
  ctx.respond = false;
  await site.handle(req, res);
}
