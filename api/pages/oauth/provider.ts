import { generateKeyPairSync, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import Provider, { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { hashSecret } from '../../../commands/kernel/secrets.ts';
import { findMember } from '../../../db/queries/accounts/members.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import { signedIn, usableMemberships } from '../people/site.ts';
import { TooManyTries } from '../people/throttle.ts';
import { errorPage } from './pages/layout.ts';
import { cookieNames, type Place, SESSION_SECONDS, type Storing, storingOf } from './place.ts';
import { signInUrl } from './returning.ts';
import { createStorage } from './storage.ts';
import { countTry } from './throttle.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
/** Lifetime of grants and refresh tokens that are valid until they are revoked. */
const TEN_YEARS = 3650 * DAY;
/** Lifetime of a public client's refresh token. Each use replaces it by a new one, so the time runs from the last use. */
const QUARTER = 90 * DAY;
const CODE_SECONDS = 60;

export const SCOPES = ['read', 'read_write'];

/** The authorization server of one environment. It supports only the authorization code flow, and no OpenID Connect. */
export function createProvider(deps: ApiDeps, place: Place): Provider {
  const storing = storingOf(deps, place);
  const provider = new Provider(`${deps.publicUrl}${place.prefix}`, {
    ...flow,
    ...cookies(place),
    adapter: createStorage(storing, (uid) => `${deps.publicUrl}${place.prefix}/oauth/authorize/${uid}`),
    findAccount: async (_ctx, sub) => {
      const found = await findMember(storing.em(), { memberId: Number(sub), environment: place.environment });
      return found ? { accountId: sub, claims: async () => ({ sub }) } : undefined;
    },
    interactions: {
      policy: policyOf(deps, storing),
      // The consent page sends those who are not signed in to the sign-in page.
      url: (_ctx, { uid, params, prompt }) =>
        prompt.reasons.includes('login_prompt') ? signInUrl(place, params) : `${place.prefix}/oauth/consent/${uid}`,
    },
    renderError: (ctx, out) => errorPage(ctx, place, { message: out.error_description ?? out.error }),
  });
  checkClients(provider, storing);
  provider.proxy = true; // trusts X-Forwarded-Proto, which we set, for the scheme of the origin
  provider.on('server_error', (_ctx, error) => deps.log.error({ err: error }, 'OAuth request failed'));
  const app: Koa = provider;
  app.on('error', (error: unknown) => deps.log.warn({ err: error }, 'response could not be written'));
  app.use(withoutScope);
  return provider;
}

/**
 * The usual prompts. What the library remembers of an earlier consent counts only while the person who gave it is signed in here and still
 * a member.
 */
function policyOf(deps: ApiDeps, storing: Storing) {
  const policy = interactionPolicy.base();
  const isHere = async (ctx: KoaContextWithOIDC): Promise<boolean> => {
    const session = await signedIn({ deps }, ctx);
    if (!session) return false;
    const memberships = await usableMemberships(storing.em(), session);
    return memberships.some(({ memberId }) => String(memberId) === ctx.oidc.session?.accountId);
  };
  const check = new interactionPolicy.Check(
    'not_signed_in',
    'Nobody who may allow it is signed in',
    async (ctx) => !(await isHere(ctx)),
  );
  policy.get('login')?.checks.add(check);
  return policy;
}

const flow: Configuration = {
  scopes: SCOPES,
  claims: {},
  responseTypes: ['code'],
  clientAuthMethods: ['client_secret_post', 'client_secret_basic', 'none'],
  allowOmittingSingleRegisteredRedirectUri: false,
  clientBasedCORS: () => false,
  expiresWithSession: async () => false,
  issueRefreshToken: async () => true,
  rotateRefreshToken: (ctx) => ctx.oidc.client?.clientAuthMethod === 'none',
  revokeGrantPolicy: () => true,
  formats: { bitsOfOpaqueRandomness: 256 },
  extraParams: { scope: ({ query }) => checkScope(String(query.scope ?? '')) }, // the library drops unknown scopes
  // The library requires a key, although there are no ID tokens to sign.
  jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  routes: {
    authorization: '/oauth/authorize',
    token: '/oauth/access_token',
    revocation: '/oauth/revoke',
    jwks: '/oauth/none/jwks',
    end_session: '/oauth/none/end',
  },
  features: {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
  },
  ttl: {
    AccessToken: HOUR,
    AuthorizationCode: CODE_SECONDS,
    Grant: TEN_YEARS,
    Interaction: HOUR,
    RefreshToken: (_ctx, _token, client) => (client.clientAuthMethod === 'none' ? QUARTER : TEN_YEARS),
    Session: SESSION_SECONDS,
  },
};

/** Removes the scope from token responses. It is always the requested one. */
const withoutScope: Koa.Middleware = async (ctx, next) => {
  await next();
  const body: unknown = ctx.body;
  if (typeof body !== 'object' || body === null || !('access_token' in body) || !('scope' in body)) return;
  const { scope: _asked, ...rest } = body;
  ctx.body = rest;
};

function cookies(place: Place): Configuration {
  const { session, interaction, resume } = cookieNames(place);
  const safe = { httpOnly: true, sameSite: 'lax' } as const;
  const long = { ...safe, path: `${place.prefix}/oauth` };
  return { cookies: { names: { session, interaction, resume }, long, short: safe } };
}

function checkScope(scope: string): void {
  const asked = scope.split(' ').filter((name) => name !== '');
  const unknown = asked.find((name) => !SCOPES.includes(name));
  if (unknown !== undefined) throw new errors.InvalidScope('scope must be read or read_write', unknown);
  if (asked.length === 0) throw new errors.InvalidScope('scope missing: read or read_write', '');
}

/** Makes the library compare secrets by their hashes, and redirect URIs exactly, including loopback URIs. */
function checkClients(provider: Provider, storing: Storing): void {
  const prototype: object = provider.Client.prototype;
  Object.assign(prototype, {
    redirectUriAllowed(this: { redirectUris: string[] }, uri: string) {
      return this.redirectUris.includes(uri);
    },
    async compareClientSecret(this: { clientId: string; clientSecret: string }, given: string) {
      const isRight = timingSafeEqual(Buffer.from(hashSecret(given)), Buffer.from(this.clientSecret));
      if (!isRight) await countWrongSecret(storing, this.clientId);
      return isRight;
    },
  });
}

/** Counts only wrong secrets. A client with the right secret is never blocked, because anyone could block it with its public id. */
async function countWrongSecret(storing: Storing, clientId: string): Promise<void> {
  try {
    await countTry(storing, 'client_secret', clientId);
  } catch (error) {
    if (!(error instanceof TooManyTries)) throw error;
    throw slowDown(Provider.ctx, error);
  }
}

function slowDown(ctx: KoaContextWithOIDC | undefined, { seconds, message }: TooManyTries): Error {
  ctx?.set('Retry-After', String(seconds));
  return Object.assign(new errors.TemporarilyUnavailable(message), { statusCode: 429, status: 429 });
}
