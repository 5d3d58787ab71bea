import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { keyFingerprint } from './cipher.ts';

/** A login at PostgreSQL. Its password is not stored, but derived from the encryption key. */
interface DatabaseLogin {
  user: string;
  password: string;
}

/** `app` sees one account at a time, `system` sees all accounts, `gateway` is for the test gateway. None of them owns database objects. */
type Kind = 'app' | 'system' | 'gateway';

/** The URLs of one database, for each login. */
export type DatabaseUrls = Record<Kind, string>;

/**
 * The logins of the deployment with this key. Their names contain the key's fingerprint, so that deployments on one server share no login.
 */
function databaseLogins(key: Uint8Array): Record<Kind, DatabaseLogin> {
  const loginOf = (kind: Kind): DatabaseLogin => ({
    user: `perennial_${kind}_${keyFingerprint(key)}`,
    password: createHmac('sha256', key).update(`perennial database password of ${kind}`).digest('hex'),
  });
  return { app: loginOf('app'), system: loginOf('system'), gateway: loginOf('gateway') };
}

/** The logins to create at PostgreSQL, each with the SCRAM verifier that the server stores instead of a password. */
export function newLogins(key: Uint8Array): Record<Kind, { user: string; verifier: string }> {
  const { app, system, gateway } = databaseLogins(key);
  return {
    app: { user: app.user, verifier: scramVerifier(app) },
    system: { user: system.user, verifier: scramVerifier(system) },
    gateway: { user: gateway.user, verifier: scramVerifier(gateway) },
  };
}

/** The URLs of a database with the logins of this key. User and password in `url` are replaced. */
export function databaseUrls(url: string, key: Uint8Array): DatabaseUrls {
  const { app, system, gateway } = databaseLogins(key);
  return { app: loginUrl(url, app), system: loginUrl(url, system), gateway: loginUrl(url, gateway) };
}

/** A database URL without user and password. */
export function withoutLogin(url: string): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  for (const name of ['user', 'password']) bare.searchParams.delete(name);
  return bare.href;
}

/** The secret that signs the test gateway's events of an account, `whsec_…`. */
export function testEventSecret(key: Uint8Array, accountId: number): string {
  const secret = createHmac('sha256', key).update(`perennial test gateway events of account ${accountId}`);
  return `whsec_${secret.digest('base64')}`;
}

function loginUrl(url: string, { user, password }: DatabaseLogin): string {
  const own = new URL(withoutLogin(url));
  own.username = user;
  own.password = password;
  if (own.username !== '') return own.href;
  own.searchParams.set('user', user); // a URL of a socket has no host, so it cannot hold a user before the host
  own.searchParams.set('password', password);
  return own.href;
}

const ITERATIONS = 4096;

/**
 * The SCRAM verifier that PostgreSQL stores for a password (RFC 5802). It is sent instead of the password, so that no server log contains the
 * password.
 */
function scramVerifier({ user, password }: DatabaseLogin): string {
  const salt = createHmac('sha256', password).update(`salt of ${user}`).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`;
}
