import type { Middleware } from 'koa';
import type { Environment } from '../../billing/environments.ts';
import { Refusal } from '../../billing/refusal.ts';
import { hashSecret } from '../../commands/kernel/secrets.ts';
import { type Credential, findCredential, findTokenCredential } from '../../db/queries/accounts/apiKeys.ts';
import { findingTenant, withOwner } from '../../db/tenant.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { Forbidden, SignInAgain, Unauthorized } from '../framework/errors.ts';
import type { Route } from '../framework/route.ts';
import type { ApiState } from '../framework/state.ts';
import { createGoodCredentials, createLastUse } from '../limits/credentials.ts';
import { createVisitorLimit } from '../limits/visitorLimit.ts';
import { logEndedKey } from './refusals.ts';
import { sessionCredential } from './sessions.ts';

/**
 * Finds the credential of a request. Nothing is cached, so a revoked key or token is refused at once. An address that sent too many invalid
 * credentials is blocked for a while. Credentials whose last use succeeded are still accepted from it, so that others behind the same address
 * can go on.
 */
export function authentication(deps: ApiDeps): Middleware<ApiState> {
  const limit = createVisitorLimit(deps);
  const good = createGoodCredentials();
  const ofSession = sessionCredential(deps);
  return async (ctx, next) => {
    const session = ctx.get('Authorization') === '' ? await ofSession(ctx) : null;
    if (session) {
      Object.assign(ctx.state, session);
      return next();
    }
    const sent = sentSecret(ctx.get('Authorization'));
    const hash = hashSecret(sent.secret);
    const use = `${ctx.state.environment}/${hash}`;
    if (!good.has(use)) limit.refuseOver(ctx, 'invalid_credential');
    const em = deps.em.fork();
    const find = sent.isToken ? findTokenCredential : findCredential;
    const credential = await findingTenant(() => find(em, hash, deps.systemNow()));
    const isGood = credential?.account.environment === ctx.state.environment;
    good.note(use, isGood);
    if (!isGood) await limit(ctx, 'invalid_credential');
    if (!credential && !sent.isToken) await logEndedKey(deps, hash);
    if (!credential) throw invalid(sent, sent.isToken ? 'Access token is not valid' : 'API key is not valid');
    checkEnvironment(credential, sent, ctx.state.environment);
    Object.assign(ctx.state, { em, credential });
    await next();
  };
}

interface Sent {
  secret: string;
  isToken: boolean;
}

/** Reads the API key, which is the user name of Basic authentication, or the Bearer token. The Basic password is ignored. */
function sentSecret(header: string): Sent {
  const [scheme = '', encoded = ''] = header.trim().split(/\s+/);
  if (header === '') throw new Unauthorized('API key missing: send it as the user name of HTTP Basic authentication');
  if (scheme.toLowerCase() === 'bearer') return { secret: encoded, isToken: true };
  if (scheme.toLowerCase() !== 'basic') {
    throw new Unauthorized(
      'Authorization must be HTTP Basic with the API key as user name, or Bearer with an access token',
    );
  }
  const [secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (secret.includes('\0'))
    throw new Refusal('parameter_invalid', 'The API key must not contain null characters', 'Authorization');
  return { secret, isToken: false };
}

function checkEnvironment({ account }: Credential, sent: Sent, environment: Environment | undefined): void {
  if (account.environment === environment) return;
  const what = `${sent.isToken ? 'an access token' : 'a key'} of the ${account.environment} environment`;
  throw invalid(sent, `This is ${what}, used against the ${environment} base URL`);
}

function invalid({ isToken }: Sent, message: string): Unauthorized {
  return isToken ? new Unauthorized(message, 'Bearer error="invalid_token"') : new Unauthorized(message);
}

/** From here on, the database shows only rows of the request's account, and for a limited member only those of its customers. Records the use of the credential. */
export function tenant(deps: ApiDeps): Middleware<ApiState> {
  const noteUse = createLastUse(deps);
  return async (ctx, next) => {
    const { credential } = ctx.state;
    if (!credential) throw new Error('a request without a credential passed authentication');
    const { account, member } = credential;
    await withOwner(account.id, member?.isLimited ? member.id : null, async () => {
      noteUse(credential);
      await next();
    });
  };
}

const READING = new Set(['GET', 'HEAD']);
const INSUFFICIENT = 'Bearer error="insufficient_scope", scope="read_write"';

/**
 * Throws Forbidden if the credential may not use the route. A route admits those who hold its permission, to write only with the scope
 * `read_write`. `publishable` admits publishable keys, too. `keysOnly` excludes access tokens, and sessions whose sign-in is not fresh.
 * `ofPerson` admits only sessions. `ofAllCustomers` excludes members that see only their own customers.
 */
export const permission: Middleware<ApiState> = async (ctx, next) => {
  const { credential, matched } = ctx.state;
  if (!credential || !matched) throw new Error('permissions were checked before authentication and routing');
  check(credential, matched.route, ctx.method);
  await next();
};

function check(credential: Credential, route: Route, method: string): void {
  const { kind, scope, permissions, member, session } = credential;
  if (kind === 'publishable') {
    if (route.publishable) return;
    throw new Forbidden('A publishable key (pk_…) works only on the paths meant for it: use a secret key (sk_…) here');
  }
  if (kind === 'token' && route.keysOnly) {
    throw new Forbidden('An access token cannot do this, because the result would outlive the token: use an API key');
  }
  if (route.ofPerson && !session)
    throw new Forbidden('This is about a person: only a page of this site can do it, where the person is signed in');
  if (scope !== 'read_write' && !READING.has(method)) {
    if (kind === 'token') throw new Forbidden('Access token may only read', { challenge: INSUFFICIENT });
    throw new Forbidden('API key may only read');
  }
  if (member?.isLimited && route.ofAllCustomers)
    throw new Forbidden('This concerns all customers, and the member sees only its own');
  const { permission } = route;
  if (session && route.keysOnly && !READING.has(method) && !session.isFresh) throw new SignInAgain();
  if (permission === null || permissions.includes(permission)) return;
  const who = member === null ? 'A key of the account' : `The role ${member.role}`;
  throw new Forbidden(`${who} does not hold the permission ${permission}`);
}
