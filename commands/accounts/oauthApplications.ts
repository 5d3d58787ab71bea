import { Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { grantsOfPerson } from '../../db/queries/accounts/oauth.ts';
import { OauthApplication, OauthGrant } from '../../db/schema/oauth.ts';
import { logAct } from '../kernel/auditLog.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { hashSecret, randomText } from '../kernel/secrets.ts';

export interface NewOauthApplication {
  caller: Caller;
  name: string;
  /** Compared with the `redirect_uri` of a request by exact string match. */
  redirectUris: string[];
  /** Whether the application can keep a secret. */
  confidential: boolean;
}

export interface OauthApplicationKey {
  caller: Caller;
  id: number;
}

export interface OauthApplicationChange extends OauthApplicationKey {
  name?: string;
  redirectUris?: string[];
}

const MOST_APPLICATIONS = 50;
const MOST_REDIRECT_URIS = 20;
const LONGEST_REDIRECT_URI = 2048;
const CLIENT_ID_LETTERS = 24;
const SECRET_LETTERS = 40;

/** Registers an application. Returns the secret of a confidential one; the database stores only its hash. Refuses invalid redirect URIs. */
export async function createOauthApplication(
  em: EntityManager,
  input: NewOauthApplication,
  systemNow: Date,
): Promise<{ application: OauthApplication; secret: string | null }> {
  const { caller, name, confidential } = input;
  const accountId = caller.account.id;
  const redirectUris = checkedUris(input.redirectUris, confidential);
  await lockCountOf(em, 'oauth_application', accountId);
  const count = await em.count(OauthApplication, { accountId });
  if (count >= MOST_APPLICATIONS)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_APPLICATIONS} OAuth applications`);
  const secret = confidential ? newSecret(caller) : null;
  const application = em.create(OauthApplication, {
    accountId,
    name,
    redirectUris,
    confidential,
    clientId: `client_${randomText(CLIENT_ID_LETTERS)}`,
    secretHash: secret === null ? null : hashSecret(secret),
    createdAt: systemNow,
    updatedAt: systemNow,
  });
  return { application, secret };
}

/** Changes an application, if anything differs. Refuses invalid redirect URIs. Throws Missing. */
export async function updateOauthApplication(
  em: EntityManager,
  change: OauthApplicationChange,
  systemNow: Date,
): Promise<OauthApplication> {
  const application = await findApplication(em, change);
  const { name, redirectUris: uris } = change;
  const redirectUris = uris === undefined ? undefined : checkedUris(uris, application.confidential);
  if (!assignChanges(application, { name, redirectUris })) return application;
  application.updatedAt = systemNow;
  return application;
}

/** Replaces the secret and returns the new one. The old one stops working at once. Refuses a public application. Throws Missing. */
export async function rotateOauthSecret(
  em: EntityManager,
  key: OauthApplicationKey,
  systemNow: Date,
): Promise<{ application: OauthApplication; secret: string }> {
  const application = await findApplication(em, key);
  if (!application.confidential) throw new Refusal('state_conflict', 'A public application has no secret');
  const secret = newSecret(key.caller);
  Object.assign(application, { secretHash: hashSecret(secret), updatedAt: systemNow });
  return { application, secret };
}

/** Deletes an application with all its grants and tokens. Throws Missing. */
export async function deleteOauthApplication(em: EntityManager, { caller, id }: OauthApplicationKey): Promise<void> {
  const deleted = await em.nativeDelete(OauthApplication, { accountId: caller.account.id, id });
  if (deleted === 0) throw new Missing('OAuth application', id);
}

async function findApplication(em: EntityManager, { caller, id }: OauthApplicationKey): Promise<OauthApplication> {
  const application = await em.findOne(OauthApplication, { accountId: caller.account.id, id });
  if (!application) throw new Missing('OAuth application', id);
  return application;
}

function newSecret({ account }: Caller): string {
  return `cs_${account.environment === 'live' ? 'live' : 'test'}_${randomText(SECRET_LETTERS)}`;
}

function checkedUris(uris: string[], confidential: boolean): string[] {
  if (uris.length === 0)
    throw new Refusal('parameter_missing', 'Redirect uris missing: at least one is needed', 'redirect_uris');
  if (uris.length > MOST_REDIRECT_URIS) {
    throw new Refusal('limit_exceeded', `Redirect uris: at most ${MOST_REDIRECT_URIS}`, 'redirect_uris');
  }
  uris.forEach((uri, index) => {
    const problem = problemOf(uri, confidential);
    if (problem !== null)
      throw new Refusal(
        'parameter_invalid',
        `Redirect uri ${problem}: ${uri.slice(0, 200)}`,
        `redirect_uris[${index}]`,
      );
  });
  return [...new Set(uris)];
}

/** DNS names and IP addresses. Other hosts that `URL` accepts could add directives to the Content-Security-Policy of the hosted pages. */
const HOSTNAME = /^([a-z0-9.-]*|\[[0-9a-f:.]+\])$/i;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The reason why a redirect URI is invalid; null: it is valid. By RFC 6749 3.1.2 and RFC 8252, valid are https, http on the loopback
 * interface, and for public applications also a private scheme such as com.example.app.
 */
function problemOf(uri: string, confidential: boolean): string | null {
  if (uri.length > LONGEST_REDIRECT_URI) return `must have at most ${LONGEST_REDIRECT_URI} characters`;
  // `URL` drops or encodes these characters, but a request's URI must equal the registered text.
  if (!URL.canParse(uri) || /[^\x21-\x7e]/.test(uri)) return 'must be an absolute URL';
  const { protocol, hostname, username, password } = new URL(uri);
  if (!HOSTNAME.test(hostname)) return 'must have a host of letters, digits, dots and hyphens';
  if (uri.includes('#')) return 'must have no fragment';
  if (username !== '' || password !== '') return 'must have no user name or password';
  if (protocol === 'https:') return LOOPBACK.has(hostname) ? 'must be http on the loopback interface' : null;
  if (protocol === 'http:') return LOOPBACK.has(hostname) ? null : 'must be https, or http on the loopback interface';
  if (confidential) return 'must be https, or http on the loopback interface';
  return protocol.includes('.') ? null : 'must have a scheme with a dot in it, such as com.example.app, or be https';
}

/** Revokes a grant of an application at once, with all its tokens. Throws Missing. */
export async function revokeOauthGrant(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
): Promise<void> {
  const deleted = await em.nativeDelete(OauthGrant, { accountId: caller.account.id, id });
  if (deleted === 0) throw new Missing('OAuth grant', id);
}

/** Ends the access that a person gave an application, with all its tokens, at once. False: the person gave none with this id. */
export async function revokeGrantOfPerson(
  em: EntityManager,
  of: { personId: number; id: number },
  now: Date,
): Promise<boolean> {
  const [grant] = await grantsOfPerson(em, of, now);
  if (!grant) return false;
  const { id, accountId, memberId, email } = grant;
  const ended = await em.nativeDelete(OauthGrant, { accountId, id });
  if (ended === 0) return false;
  const by = { actor: 'member', actorId: memberId, actorName: email, memberId } as const;
  const object = { type: 'oauth_grant', id };
  logAct(em, { accountId, by, kind: 'change', operation: 'deleteOauthGrant', object }, now);
  return true;
}
