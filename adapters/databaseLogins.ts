import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { keyFingerprint } from './cipher.ts';

/** A login at PostgreSQL. Its password is nowhere: whoever has the encryption key derives it. */
interface DatabaseLogin {
  user: string;
  password: string;
}

/** `app` sees one account at a time, `system` works over all of them, `gateway` is the test gateway's. None owns anything. */
type Kind = 'app' | 'system' | 'gateway';

/** The URLs of a database for its logins. */
export type DatabaseUrls = Record<Kind, string>;

/** The logins of the deployment with this key. Another key has others, so that deployments on one server share none. */
function databaseLogins(key: Uint8Array): Record<Kind, DatabaseLogin> {
  const loginOf = (kind: Kind): DatabaseLogin => ({
    user: `perennial_${kind}_${keyFingerprint(key)}`,
    password: createHmac('sha256', key).update(`perennial database password of ${kind}`).digest('hex'),
  });
  return { app: loginOf('app'), system: loginOf('system'), gateway: loginOf('gateway') };
}

/** The same as they are made: with what the server keeps of their passwords. */
export function newLogins(key: Uint8Array): Record<Kind, { user: string; verifier: string }> {
  const { app, system, gateway } = databaseLogins(key);
  return {
    app: { user: app.user, verifier: scramVerifier(app) },
    system: { user: system.user, verifier: scramVerifier(system) },
    gateway: { user: gateway.user, verifier: scramVerifier(gateway) },
  };
}

/** Where the logins of this key find a database. Whatever user and password `url` has are left out. */
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
  own.searchParams.set('user', user); // of a socket: a URL without a host has no place for them
  own.searchParams.set('password', password);
  return own.href;
}

const ITERATIONS = 4096;

/** What PostgreSQL keeps of a login's password (RFC 5802): sent instead of it, so that no log of the server ever holds it. */
function scramVerifier({ user, password }: DatabaseLogin): string {
  const salt = createHmac('sha256', password).update(`salt of ${user}`).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`;
}
