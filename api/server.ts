import { setTimeout as pause } from 'node:timers/promises';
import Koa, { type Middleware } from 'koa';
import { createConcurrencyLimit } from '../db/fairness/concurrencyLimit.ts';
import { setOrigin } from '../present/kernel/links.ts';
import type { ApiDeps } from './framework/deps.ts';
import type { ApiState } from './framework/state.ts';
import { withReads } from './framework/stored.ts';
import { type Admission, createAdmission } from './limits/admission.ts';
import { createRateLimiter } from './limits/rateLimiter.ts';
import { createUnfinished, type Unfinished } from './limits/unfinished.ts';
import { createListener, type Listener } from './listener.ts';
import { admission, admitAccount, rateLimit } from './middleware/admission.ts';
import { authentication, permission, tenant } from './middleware/authentication.ts';
import { body } from './middleware/body.ts';
import { cors, crossSite, security } from './middleware/browsers.ts';
import { createRouter, dispatch, noRoute } from './middleware/dispatch.ts';
import { downloadLinks, openDownloads, openJobFiles } from './middleware/downloads.ts';
import { errors } from './middleware/errors.ts';
import { apiVersion, idempotencyKey, ifMatch, refuseUnknownVersion, requestedVersion } from './middleware/headers.ts';
import { refusals } from './middleware/refusals.ts';
import { apiNul, base, host, methods, nul } from './middleware/requestLine.ts';
import { requestLog } from './middleware/requestLog.ts';
import { emailPicture } from './pages/emailPicture.ts';
import { gatewayEvents } from './pages/gatewayEvents.ts';
import { homePage, missingHere } from './pages/home.ts';
import { hostedDocuments } from './pages/hosted/documents.ts';
import { hostedStatements } from './pages/hosted/statements.ts';
import { oauthPages, peoplePages } from './pages/loadedPages.ts';
import { mailEvents } from './pages/mailEvents.ts';
import { planPages } from './pages/managing/plans.ts';
import { reminderPages } from './pages/managing/reminders.ts';
import { sourcePages } from './pages/managing/sources.ts';
import { subscriptionPages } from './pages/managing/subscriptions.ts';
import { type Draining, openRoutes } from './pages/openRoutes.ts';
import { payPages } from './pages/pay/pages.ts';
import { passkeyScript } from './pages/people/passkey/parts.ts';
import { portalPages } from './pages/portal/portal.ts';
import { embedScript } from './pages/selling/embed/script.ts';
import { sellingPages } from './pages/selling/pages.ts';
import { servedFiles } from './pages/servedFiles.ts';
import { smsEvents } from './pages/smsEvents.ts';
import { testChallenge } from './pages/testChallenge.ts';
import { pageScripts, tokenize } from './pages/tokenize/script.ts';
import { type RouteGroup, routeGroups } from './resources/routes.ts';

export type { ApiDeps } from './framework/deps.ts';

export interface ApiServer {
  /** Starts listening. Port 0 chooses a free port. Resolves with the port; rejects when it is taken. */
  listen(port: number, host: string): Promise<number>;
  /**
   * Drains the server. From now on `/ready` fails and each response closes its connection. After `drainMilliseconds` it accepts no more
   * connections and refuses requests that still wait, as `createAdmission` says. It answers all other received requests, except those
   * whose body does not arrive within five seconds, and stops.
   */
  close(drainMilliseconds?: number): Promise<void>;
}

/** How long bodies may still arrive while the server closes. */
const CLOSING_BODY_MILLISECONDS = 5000;

/** Pages of customers: whoever has their address may use them. */
const customerPages = [
  payPages,
  sellingPages,
  hostedDocuments,
  hostedStatements,
  subscriptionPages,
  sourcePages,
  planPages,
  reminderPages,
] as const;

/** Pages that receive the events of gateways and providers. */
const eventPages = [gatewayEvents, smsEvents, mailEvents] as const;

/** Builds the API server of both environments. Nothing listens yet. */
export function createServer(deps: ApiDeps, groups: readonly RouteGroup[] = routeGroups): ApiServer {
  setOrigin(deps.publicUrl);
  const routes = withReads(groups.flatMap((group) => group.routes));
  const app = new Koa<ApiState>();
  const state = { isDraining: false };
  const closing = new AbortController();
  const limiter = createRateLimiter(deps);
  const gates = createGates(deps, closing.signal);
  app.use(requestLog(deps));
  app.use(closeConnections(state));
  app.use(security(deps.publicUrl));
  app.use(errors(deps));
  app.use(admission(deps, gates));
  app.use(host);
  app.use(nul);
  app.use(openRoutes(deps, groups, state));
  app.use(tokenize.serve);
  for (const { serve } of Object.values(pageScripts)) app.use(serve);
  app.use(passkeyScript.serve);
  app.use(embedScript.serve);
  app.use(servedFiles(deps));
  for (const pages of customerPages) app.use(pages(deps));
  app.use(portalPages(deps));
  app.use(emailPicture(deps));
  for (const pages of eventPages) app.use(pages(deps));
  app.use(testChallenge(deps));
  app.use(peoplePages(deps));
  app.use(oauthPages(deps));
  app.use(openJobFiles(deps));
  app.use(openDownloads(deps));
  app.use(homePage(deps));
  app.use(missingHere);
  app.use(base);
  app.use(requestedVersion);
  app.use(cors(routes));
  app.use(methods);
  app.use(crossSite(deps.publicUrl));
  app.use(authentication(deps));
  app.use(tenant(deps));
  app.use(apiVersion);
  app.use(admitAccount(gates.unfinished));
  app.use(rateLimit(limiter));
  app.use(apiNul);
  app.use(downloadLinks(deps, routes));
  app.use(createRouter(routes).routes());
  app.use(noRoute);
  app.use(refusals(deps));
  app.use(permission);
  app.use(refuseUnknownVersion);
  app.use(body);
  app.use(idempotencyKey);
  app.use(ifMatch);
  app.use(dispatch(deps));
  app.on('error', (error: unknown) => deps.log.warn({ err: error }, 'response could not be written'));
  const listener = createListener(app.callback());
  return {
    listen: listener.listen,
    async close(drainMilliseconds = 0) {
      state.isDraining = true;
      await pause(drainMilliseconds);
      closing.abort();
      await closePatiently(listener, gates.unfinished);
      await limiter.close();
    },
  };
}

/** What each request passes: a place to work, and bounds on the bodies that are still arriving. */
function createGates(deps: ApiDeps, closing: AbortSignal): { gate: Admission; unfinished: Unfinished } {
  const gate = createAdmission(closing, deps.load && createConcurrencyLimit({ load: deps.load }));
  const unfinished = createUnfinished();
  deps.metrics?.watchRequests({ atWork: () => gate.atWork, unfinished: unfinished.count });
  return { gate, unfinished };
}

/** Closes the listener. Bodies that do not arrive are ended after a while. */
async function closePatiently(listener: Listener, unfinished: Unfinished): Promise<void> {
  const patience = setInterval(unfinished.endAll, CLOSING_BODY_MILLISECONDS);
  await listener.close().finally(() => clearInterval(patience));
}

/** While the server drains, closes each connection after its response, so that clients send no further request over it. */
function closeConnections(draining: Draining): Middleware<ApiState> {
  return async (ctx, next) => {
    await next();
    if (draining.isDraining) ctx.set('Connection', 'close');
  };
}
