import type { Middleware } from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import { type Download, makeDownload, useDownload } from '../../commands/people/downloads.ts';
import { LIFETIMES } from '../../commands/people/secrets.ts';
import { liveIdOf } from '../../db/schema/account.ts';
import { asSystem } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import { unix } from '../../present/kernel/values.ts';
import * as fields from '../body/fields.ts';
import { object, parse } from '../body/request.ts';
import { mediaTypes } from '../framework/apiRequest.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { Forbidden, NoRoute, Unauthorized } from '../framework/errors.ts';
import type { Route } from '../framework/route.ts';
import type { ApiState } from '../framework/state.ts';
import { createVisitorLimit } from '../limits/visitorLimit.ts';
import { cookieOf, type PageContext, signedIn, signInPath } from '../pages/people/site.ts';
import { body as readBody } from './body.ts';
import { createRouter } from './dispatch.ts';
import { logRefusedCredential } from './refusals.ts';

/** Links by which a browser saves what a page of ours may read: a browser that follows a link sends no headers of a page. */

const PATH = '/downloads';
/** Stands for the origin, so that a path that names another one is found. */
const HERE = 'http://here';
const MOST_OF_PATH = 2048;
const formats = ['pdf', 'xml', 'csv', 'xlsx', 'file'] as const;

const wanted = object({
  path: fields.required(fields.text(MOST_OF_PATH)),
  format: fields.required(fields.choice(...formats)),
});

/** Makes links, for sessions only: `POST /downloads` of the API with a path of the API and a format. A key can read the path itself. */
export function downloadLinks(deps: ApiDeps, routes: readonly Route[]): Middleware<ApiState> {
  const isDownload = downloadFinder(routes);
  return async (ctx, next) => {
    const { credential, basePath = '' } = ctx.state;
    if (ctx.path !== PATH || ctx.method !== 'POST' || !credential) return next();
    const cookie = cookieOf({ deps }, ctx, 'session');
    if (!credential.session || cookie === null) {
      const reason = 'Only pages of this site need links for downloads: read the path with your key instead';
      await logRefusedCredential(deps, credential, { operation: 'createDownload', reason });
      throw new Forbidden(reason);
    }
    await readBody(ctx, async () => undefined);
    const { path, format } = parse(wanted, ctx.state.body);
    const url = URL.canParse(path, HERE) ? new URL(path, HERE) : null;
    if (!path.startsWith('/') || url?.origin !== HERE || !isDownload(url.pathname, format))
      throw new Refusal('parameter_invalid', `Path must be one that can be read as ${format}: ${path}`, 'path');
    const download: Download = {
      accountId: liveIdOf(credential.account),
      path: `${basePath}${url.pathname}${url.search}`,
      accept: mediaTypes[format],
    };
    const now = deps.systemNow();
    const make = () => inTransaction(deps.em, (em) => makeDownload(em, { cookie, download }, now));
    const secret = await asSystem(make, credential.account.id);
    if (secret === null) throw new Unauthorized('The session has ended', 'Session');
    ctx.status = 201;
    const expiresAt = unix(new Date(now.getTime() + LIFETIMES.download));
    ctx.body = { object: 'download', url: `${deps.publicUrl}${PATH}/${secret}`, expires_at: expiresAt };
  };
}

/** Whether a path can be read in a format. */
function downloadFinder(routes: readonly Route[]): (path: string, format: (typeof formats)[number]) => boolean {
  const routers = formats.map((format) => {
    const those = routes.filter(({ method, media }) => method === 'GET' && media?.includes(format));
    return [format, createRouter(those)] as const;
  });
  const byFormat = new Map(routers);
  return (path, format) => byFormat.get(format)?.match(path, 'GET').route === true;
}

/** Path of the file of a job, as mails to members link it: environment, live account, job. */
const JOB_FILE = /^\/downloads\/jobs\/(live|sandbox)\/(\d{1,9})\/(\d{1,9})$/;

/** The download that a path of a job's file means; null: it is none. */
function jobFileAt(path: string): Download | null {
  const [, environment, accountId, id] = JOB_FILE.exec(path) ?? [];
  if (!id) return null;
  const base = environment === 'sandbox' ? '/sandbox/api' : '/api';
  return { accountId: Number(accountId), path: `${base}/jobs/${id}/file`, accept: mediaTypes.file };
}

/**
 * Serves the links to files of jobs in mails: carries out the request as the person who is signed in, with the rights that it has now. Who is
 * not signed in signs in first.
 */
export function openJobFiles(deps: ApiDeps): Middleware<ApiState> {
  const limit = createVisitorLimit(deps);
  return async (ctx, next) => {
    const download = ctx.method === 'GET' ? jobFileAt(ctx.path) : null;
    if (!download) return next();
    ctx.state.page = `${PATH}/jobs/:environment/:account/:id`;
    await limit(ctx, 'file');
    if (!(await asSystem(() => signedIn({ deps }, ctx)))) {
      ctx.redirect(signInPath(ctx.path));
      return;
    }
    await carryOut(ctx, download, next);
  };
}

/** Carries out a request as the session of the browser, which saves the answer. */
async function carryOut(ctx: PageContext, download: Download, next: () => Promise<unknown>): Promise<void> {
  ctx.state.downloadFrom = download.accountId;
  ctx.url = download.path;
  ctx.req.headers.accept = download.accept;
  delete ctx.req.headers.authorization; // the session counts
  await next();
  ctx.set('Content-Disposition', ctx.response.get('Content-Disposition').replace(/^inline/, 'attachment'));
}

/**
 * Serves links: carries out the request of the link as its session, with the rights that it has now, and lets the browser save the answer.
 * HEAD uses no link up.
 */
export function openDownloads(deps: ApiDeps): Middleware<ApiState> {
  const limit = createVisitorLimit(deps);
  return async (ctx, next) => {
    if (!ctx.path.startsWith(`${PATH}/`)) return next();
    ctx.state.page = `${PATH}/:token`;
    if (!['GET', 'HEAD'].includes(ctx.method)) return next();
    await limit(ctx, 'file');
    const cookie = cookieOf({ deps }, ctx, 'session') ?? '';
    const use = { secret: ctx.path.slice(PATH.length + 1), cookie, isLook: ctx.method === 'HEAD' };
    const find = () => inTransaction(deps.em, (em) => useDownload(em, use, deps.systemNow()));
    const download = cookie === '' ? null : await asSystem(find);
    if (!download) throw new NoRoute('There is no such download: a link works once, within a minute, in its browser');
    if (use.isLook) {
      ctx.body = null;
      ctx.status = 200;
      return;
    }
    await carryOut(ctx, download, next);
  };
}
