import type { Middleware } from 'koa';
import { Overload } from '../../../billing/failures.ts';
import { PermissionMissing, Refusal } from '../../../billing/refusal.ts';
import { isUnavailable } from '../../../db/failure.ts';
import { asSystem } from '../../../db/tenant.ts';
import { refuseNulInUrl } from '../../body/nul.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import { proxiesOf } from '../../limits/clientAddress.ts';
import { forPersons, showAccounts } from './accounts.ts';
import { showConnectedApps, takeConnectedApps } from './connectedApps.ts';
import { showInvitation, takeInvitation } from './invitation.ts';
import { showProblem } from './layout.ts';
import { offerSecondFactor, offerSignIn, takePasskey, takeSecondFactor } from './passkeySignIn.ts';
import { showNewPassword, showReset, takeNewPassword, takeReset } from './reset.ts';
import { offerNewPasskey, showSecurity, takeSecurity } from './security.ts';
import { showCode, showSignIn, takeCode, takeSignIn, takeSignOut } from './signIn.ts';
import { showSignUp, showSignUpLink, takeSignUp, takeSignUpLink } from './signUp.ts';
import { ForeignForm, noteForeignForm, type PageContext, type PeopleSite } from './site.ts';
import { showStart, takeStart } from './start.ts';
import { TooManyTries } from './throttle.ts';

/** Shows a page or takes its form. `rest`: the segments of the path after the page's name. */
type Handler = (site: PeopleSite, ctx: PageContext, rest: readonly string[]) => Promise<void>;

/** Handlers by method and path. `*` stands for one segment, a secret. */
const handlers: Readonly<Record<string, Handler>> = {
  'GET sign_in': showSignIn,
  'POST sign_in': takeSignIn,
  'GET sign_in/code': showCode,
  'POST sign_in/code': takeCode,
  'POST sign_in/passkey': takePasskey,
  'POST sign_in/passkey_options': offerSignIn,
  'POST sign_in/code/passkey': takeSecondFactor,
  'POST sign_in/code/passkey_options': offerSecondFactor,
  'POST sign_out': takeSignOut,
  'GET reset': showReset,
  'POST reset': takeReset,
  'GET reset/*': showNewPassword,
  'POST reset/*': takeNewPassword,
  'GET invitations/*': showInvitation,
  'POST invitations/*': takeInvitation,
  'GET sign_up': showSignUp,
  'POST sign_up': takeSignUp,
  'GET sign_up/*': showSignUpLink,
  'POST sign_up/*': takeSignUpLink,
  'GET start/*': showStart,
  'POST start/*': takeStart,
  'GET accounts': forPersons(showAccounts),
  'GET connected_apps': forPersons(showConnectedApps),
  'POST connected_apps': forPersons(takeConnectedApps),
  'GET security': forPersons(showSecurity),
  'POST security': forPersons(takeSecurity),
  'POST security/passkey_options': offerNewPasskey,
};

/** Method and path of each page and form, such as `POST reset/*`. */
export const pagesOfPeople: readonly string[] = Object.keys(handlers);

/** The pages on which people sign in, and look after their sign-in. They work over all accounts, because a person belongs to none. */
export function people(deps: ApiDeps): Middleware<ApiState> {
  const site: PeopleSite = { deps, proxies: proxiesOf(deps.trustedProxies) };
  return async (ctx, next) => {
    const [, name = '', ...rest] = ctx.path.split('/');
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const exact = [name, ...rest].join('/');
    const pattern = handlers[`${method} ${exact}`] || rest.length !== 1 ? exact : `${name}/*`;
    const handler = handlers[`${method} ${pattern}`];
    if (!handler) return next();
    ctx.state.page = `/${pattern}`;
    const work = async () => {
      refuseNulInUrl(ctx);
      await handler(site, ctx, rest);
    };
    await asSystem(work).catch(async (error: unknown) => {
      await noteForeignForm(site, ctx, error);
      explain(site, ctx, error);
    });
  };
}

/** Answers errors that a person can act on with a page. Throws all others again. */
function explain(site: PeopleSite, ctx: PageContext, error: unknown): void {
  if (error instanceof TooManyTries) {
    ctx.set('Retry-After', String(error.seconds));
    const message = error.advice ?? `Wait ${error.seconds} seconds and try again.`;
    showProblem(site, ctx, { title: 'Too many tries', message, status: 429 });
  } else if (error instanceof ForeignForm) {
    const message = 'Open the page again and repeat what you did.';
    showProblem(site, ctx, { title: error.message, message, status: 403 });
  } else if (error instanceof Refusal) {
    const status = error instanceof PermissionMissing ? 403 : 400;
    showProblem(site, ctx, { title: 'This cannot be done', message: error.message, status });
  } else if (isUnavailable(error) || error instanceof Overload) {
    ctx.set('Retry-After', '5');
    const message = error instanceof Overload ? error.message : 'The database cannot serve requests at the moment.';
    showProblem(site, ctx, { title: 'Please try again in a moment', message, status: 503 });
  } else throw error;
}
