import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { errors } from 'oidc-provider';
import { PermissionMissing, Refusal } from '../../../billing/refusal.ts';
import { isUnavailable } from '../../../db/failure.ts';
import { asSystem } from '../../../db/tenant.ts';
import { refuseNulInUrl } from '../../body/nul.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import { clientAddress, networkOf, proxiesOf } from '../../limits/clientAddress.ts';
import { kitStyle } from '../kit/page.ts';
import { ForeignForm, noteForeignForm } from '../people/site.ts';
import { TooManyTries } from '../people/throttle.ts';
import { applicationEndpoint, authorizationEndpoint } from './endpoint.ts';
import { changeApplication, showApplications, takeApplication } from './pages/applications.ts';
import { showConsent, takeConsent } from './pages/consent.ts';
import { errorPage } from './pages/layout.ts';
import { type PageContext, type PageHandler, places, type Site, storingOf } from './place.ts';
import { createProvider } from './provider.ts';
import { AWAY } from './storage.ts';

const showStyle: PageHandler = async (_site, ctx) => {
  ctx.type = 'text/css; charset=utf-8';
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.body = kitStyle;
};

/** Handlers by method and path below `/oauth`. `*` stands for one segment of the path. */
const handlers: Readonly<Record<string, PageHandler>> = {
  'GET authorize': authorizationEndpoint,
  'GET authorize/*': authorizationEndpoint,
  'POST access_token': applicationEndpoint,
  'POST revoke': applicationEndpoint,
  'GET style.css': showStyle,
  'GET consent/*': showConsent,
  'POST consent/*': takeConsent,
  'GET applications': showApplications,
  'POST applications': takeApplication,
  'POST applications/*/delete': changeApplication,
  'POST applications/*/rotate_secret': changeApplication,
};

/**
 * OAuth 2 for both environments: endpoints, sign-in, consent, the page of applications. Other paths go to the next middleware. The work runs
 * across all accounts, because the account is known only when the member or application has been found.
 */
export function oauth(deps: ApiDeps): Middleware<ApiState> {
  const trusted = proxiesOf(deps.trustedProxies);
  const sites = places.map((place): Site => {
    const provider = createProvider(deps, place);
    return { deps, proxies: trusted, place, provider, handle: provider.callback(), storing: storingOf(deps, place) };
  });
  return async (ctx, next) => {
    const site = sites.find(({ place }) => ctx.path.startsWith(`${place.prefix}/oauth/`));
    const [handler, rest, pattern] = site ? handlerOf(ctx, site) : [undefined, [], ''];
    if (!site || !handler) return next();
    ctx.state.page = `/oauth/${pattern}`;
    const connection = ctx.req.socket.remoteAddress ?? '';
    ctx.request.ip = networkOf(clientAddress(connection, ctx.get('X-Forwarded-For'), trusted));
    fromPublicUrl(deps, ctx.req);
    const work = async () => {
      if (handler !== applicationEndpoint) refuseNulInUrl(ctx);
      await handler(site, ctx, rest);
    };
    await asSystem(work).catch(async (error: unknown) => {
      await noteForeignForm(site, ctx, error);
      explain(site, ctx, error);
    });
  };
}

function handlerOf(ctx: PageContext, { place }: Site): [PageHandler | undefined, string[], string] {
  const [name = '', ...rest] = ctx.path.slice(`${place.prefix}/oauth/`.length).split('/');
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
  const pattern = [name, ...rest.map((part, index) => (index === 0 && part !== '' ? '*' : part))].join('/');
  return [handlers[`${method} ${pattern}`], rest, pattern];
}

/** Replaces forwarding headers by the public origin, because the library trusts them. */
function fromPublicUrl({ publicUrl }: ApiDeps, req: IncomingMessage): void {
  const { host, protocol } = new URL(publicUrl);
  delete req.headers['x-forwarded-host'];
  delete req.headers['x-forwarded-for'];
  Object.assign(req.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1) });
}

/** Answers errors that a person can act on with a page. Throws all other errors again. */
function explain({ place }: Site, ctx: PageContext, error: unknown): void {
  if (error instanceof TooManyTries) {
    ctx.status = 429;
    ctx.set('Retry-After', String(error.seconds));
    errorPage(ctx, place, { title: 'Too many tries', message: `Wait ${error.seconds} seconds and try again.` });
  } else if (error instanceof ForeignForm) {
    ctx.status = 403;
    errorPage(ctx, place, { title: error.message, message: 'Open the page again and repeat what you did.' });
  } else if (error instanceof Refusal) {
    ctx.status = error instanceof PermissionMissing ? 403 : 400;
    errorPage(ctx, place, { message: error.message });
  } else if (error instanceof errors.SessionNotFound) {
    ctx.status = 400;
    const title = 'This authorization has ended';
    errorPage(ctx, place, { title, message: 'It was open for too long, or in another browser.' });
  } else if (isUnavailable(error)) {
    ctx.status = 503;
    ctx.set('Retry-After', String(AWAY.seconds));
    errorPage(ctx, place, { title: 'Please try again in a moment', message: AWAY.message });
  } else throw error;
}
