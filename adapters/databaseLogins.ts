import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { keyFingerprint } from './cipher.ts';

/** A login at PostgreSQL. Its password is stored nowhere: it is derived from the encryption key. */
interface DatabaseLogin {
  user: string;
  password: string;
}

/** `app` sees one account at a time, `system` all accounts, `gateway` belongs to the test gateway. None of them owns database objects. */
type Kind = 'app' | 'system' | 'gateway';

/** The URLs of a database for its logins. */
export type DatabaseUrls = Record<Kind, string>;

/** The logins of the deployment with this key. Each key has its own, so that deployments on one server share none. */
function databaseLogins(key: Uint8Array): Record<Kind, DatabaseLogin> {
  const loginOf = (kind: Kind): DatabaseLogin => ({
    user: `perennial_${kind}_${keyFingerprint(key)}`,
    password: createHmac('sha256', key).update(`perennial database password of ${kind}`).digest('hex'),
  });
  return { app: loginOf('app'), system: loginOf('system'), gateway: loginOf('gateway') };
}

/** The logins for creation, each with its SCRAM verifier in place of a password. */
export function newLogins(key: Uint8Array): Record<Kind, { user: string; verifier: string }> {
  const { app, system, gateway } = databaseLogins(key);
  return {
    app: { user: app.user, verifier: scramVerifier(app) },
    system: { user: system.user, verifier: scramVerifier(system) },
    gateway: { user: gateway.user, verifier: scramVerifier(gateway) },
  };
}

/** The URLs of a database with the logins of this key. User and password in `url` are ignored. */
export function databaseUrls(url: string, key: Uint8Array): DatabaseUrls {
  const { app, system, gateway } = databaseLogins(key);
  return { app: loginUrl(url, app), system: loginUrl(url, system), gateway: loginUrl(url, gateway) };
}

/** A database's URL without user and password. */
export function withoutLogin(url: string): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  for (const name of ['user', 'password']) bare.searchParams.delete(name);
  return bare.href;
}

function loginUrl(url: string, { user, password }: DatabaseLogin): string {
  const own = new URL(withoutLogin(url));
  own.username = user;
  own.password = password;
  if (own.username !== '') return own.href;
  own.searchParams.set('user', user); // of a socket URL, which has no host and so no place for a login
  own.searchParams.set('password', password);
  return own.href;
}

const ITERATIONS = 4096;

/**
 * SCRAM verifier that PostgreSQL stores for a password (RFC 5802). It is sent in place of the password, so that no server log ever holds
 * the password.
 */
function scramVerifier({ user, password }: DatabaseLogin): string {
  const salt = createHmac('sha256', password).update(`salt of ${user}`).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`;
}
