import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Presented } from '../../billing/json.ts';
import { Refusal } from '../../billing/refusal.ts';
import { API_USER } from '../../commands/kernel/caller.ts';
import { usedCredential } from '../../db/queries/accounts/apiKeys.ts';
import { objectIn } from '../../present/kernel/said.ts';
import { textAs } from '../../present/versions/versions.ts';
import { type Language, spokenOf } from '../../words/languages.ts';
import { refuseNulInBody } from '../body/nul.ts';
import { pathAsSent } from '../body/sent.ts';
import { type ApiRequest, type KeptParts, preferredMedium, type Totals } from '../framework/apiRequest.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { NoRoute, Stale } from '../framework/errors.ts';
import { refuseUnknownInRoute } from '../framework/parameterNames.ts';
import { methodsOf, type Reply, type Route } from '../framework/route.ts';
import type { ApiState } from '../framework/state.ts';
import { previewPages } from '../pages/hosted/shownPage.ts';
import { sendFile } from '../pages/servedFiles.ts';
import { refuseUnreadable } from '../reading/expand.ts';
import { sendPdf, sendXml } from '../reading/papers.ts';
import { logExport } from '../writing/logging.ts';
import { tagOfRead, unquoted } from '../writing/matching.ts';
import { arrayText, joinedText } from './arrayText.ts';

/** Matches requests to routes by path and method, case-sensitively. The first match wins. */
export function createRouter(routes: readonly Route[]): Router<ApiState> {
  const router = new Router<ApiState>({ sensitive: true });
  for (const route of routes) {
    const paths = route.alias === undefined ? [route.path] : [route.path, route.alias];
    for (const method of methodsOf(route)) {
      router.register(paths, [method], (ctx, next) => {
        ctx.state.matched ??= { route, method, params: ctx.params };
        return next();
      });
    }
  }
  return router;
}

/** Throws NoRoute for a request that matches no route, even if only the method is wrong. */
export const noRoute: Middleware<ApiState> = async (ctx, next) => {
  if (!ctx.state.matched) throw new NoRoute(`There is nothing at ${ctx.method} ${ctx.path.slice(0, 200)}`);
  await next();
};

/** Runs the route's handler. */
export function dispatch(deps: ApiDeps): Middleware<ApiState> {
  const totals: Totals = new Map();
  const kept: KeptParts = new Map();
  return async (ctx) => {
    const { matched } = ctx.state;
    if (!matched) throw new Error('a request was dispatched before its route was found');
    const { route, method, params } = matched;
    const request = requestOf(deps, ctx, {
      method,
      params,
      totals,
      kept,
      answer: route.answer,
      operation: route.operationId,
      permission: route.permission,
      stored: route.stored ?? null,
    });
    if (request.ifMatch && !request.stored)
      throw new Refusal('parameter_invalid', 'If-Match has no meaning here: leave it out', 'If-Match');
    refuseUnknownInRoute(request.query, route);
    refuseUnreadable(request);
    // Before the object is read: an object that changes in between is shown with its old tag, which no write accepts.
    const tag = await tagOfRead(request);
    const reply = await answered(route, request);
    if (tag !== null && reply.statusCode === 200) ctx.set('ETag', tag);
    if (ctx.method !== 'HEAD' && !route.storesNothing && isExport(reply)) await logExport(request);
    await send(ctx, inLanguage(reply, request));
  };
}

/** A reply with the sentences of its objects in the language of the request. */
function inLanguage(reply: Reply, { answer, language }: ApiRequest): Reply {
  const said = 'kind' in answer ? answer.kind.said : undefined;
  if (!said) return reply;
  const headers = { ...reply.headers, 'Content-Language': language, Vary: 'Accept-Language' };
  if (language === 'en') return { ...reply, headers };
  const { json, members } = reply;
  if (members) return { ...reply, headers, members: members.map((one) => objectIn(one, said, language)) };
  return { ...reply, headers, json: json && JSON.stringify(bodyIn(JSON.parse(json), said, language)) };
}

const bodyIn = (body: Presented | Presented[], said: readonly string[], language: Language): unknown =>
  Array.isArray(body) ? body.map((one) => objectIn(one, said, language)) : objectIn(body, said, language);

/** Whether data leaves as a file, which is logged. */
function isExport({ pdf, xml, csv, file }: Reply): boolean {
  return [pdf, xml, csv, file].some((sent) => sent !== undefined);
}

/** Runs the handler. A Refusal of a form's field gets the indexes that the form used, which may have gaps. */
async function answered(route: Route, request: ApiRequest): Promise<Reply> {
  try {
    refuseNulInBody(request.body);
    return await route.handle(request);
  } catch (error) {
    if (error instanceof Stale && route.reader) throw await withCurrent(error, route.reader, request);
    if (!(error instanceof Refusal) || error.param === null) throw error;
    const param = pathAsSent(request.body, error.param);
    throw param === error.param ? error : new Refusal(error.code, error.message.replaceAll(error.param, param), param);
  }
}

/** The refusal of an old If-Match with the object as it is. */
async function withCurrent(stale: Stale, reader: Route, request: ApiRequest): Promise<Stale> {
  const { operationId: operation, permission, answer, stored = null } = reader;
  const em = request.deps.em.fork();
  const reading: ApiRequest = {
    ...request,
    em,
    method: 'GET',
    body: null,
    medium: 'json',
    operation,
    permission,
    answer,
    stored,
  };
  const etag = await tagOfRead(reading);
  const { json } = await reader.handle(reading);
  return new Stale(etag === null ? stale.etag : unquoted(etag), json === null ? null : JSON.parse(json));
}

function requestOf(
  deps: ApiDeps,
  ctx: Pick<Context, 'path' | 'querystring' | 'accepts' | 'acceptsLanguages'> & { state: ApiState },
  route: Pick<ApiRequest, 'method' | 'params' | 'totals' | 'kept' | 'answer' | 'operation' | 'permission' | 'stored'>,
): ApiRequest {
  const { em, credential, basePath, body, upload, idempotencyKey, ifMatch } = ctx.state;
  if (!em || !credential || basePath === undefined) throw new Error('a route ran before its middleware');
  return {
    ...route,
    deps,
    em,
    caller: {
      account: credential.account,
      userId: credential.session && credential.member ? credential.member.id : API_USER,
      credential: usedCredential(credential),
      member: credential.member,
      permissions: credential.permissions,
    },
    isFresh: credential.session?.isFresh ?? true,
    csrfToken: ctx.state.csrfToken ?? null,
    session: credential.session,
    credentialId: credential.id,
    baseUrl: `${deps.publicUrl}${basePath}`,
    path: ctx.path,
    query: new URLSearchParams(ctx.querystring),
    body,
    upload: upload ?? null,
    idempotencyKey: idempotencyKey ?? null,
    ifMatch: ifMatch ?? null,
    previews: previewPages,
    language: spokenOf(ctx.acceptsLanguages()),
    medium: preferredMedium(ctx),
  };
}

async function send(
  ctx: Pick<Context, 'status' | 'body' | 'type' | 'length' | 'set' | 'etag' | 'attachment'> & { state: ApiState },
  { statusCode, json, members, parts, headers, pdf, xml, csv, file }: Reply,
): Promise<void> {
  ctx.status = statusCode;
  ctx.set(headers ?? {});
  if (pdf) {
    sendPdf(ctx, pdf);
    return;
  }
  if (xml) {
    sendXml(ctx, xml);
    return;
  }
  if (file) {
    sendFile(ctx, file);
    return;
  }
  if (csv) {
    ctx.type = 'text/csv; charset=utf-8';
    ctx.attachment(csv.name);
    ctx.body = await joinedText(csv.lines);
    return;
  }
  const version = ctx.state.apiVersion ?? null;
  if (members) {
    ctx.type = 'application/json';
    ctx.body = await arrayText(version, members);
    return;
  }
  if (parts) {
    ctx.type = 'application/json';
    ctx.body = await joinedText(parts);
    return;
  }
  if (json === null) {
    ctx.body = null;
    ctx.status = statusCode;
    return;
  }
  ctx.type = 'application/json';
  ctx.body = textAs(version, json);
}
