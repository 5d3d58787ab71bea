import { Missing } from '../../../commands/kernel/missing.ts';
import { factorsOf } from '../../../commands/people/persons.ts';
import { deviceName, revokeSession, sessionsOf } from '../../../commands/people/sessions.ts';
import type { UsedSession } from '../../../db/queries/accounts/apiKeys.ts';
import { Person } from '../../../db/schema/person.ts';
import { asSystem } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { presentSession } from '../../../present/accounts/people.ts';
import { unixOrNull } from '../../../present/kernel/values.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathId, type Reply, type Route, reply } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';

const session = shown.shape('Session', 'Session: a browser in which you are signed in', {
  id: shown.id('Id of the session', 12),
  device: shown.text('Browser and system, as the browser names itself', 'Firefox on Linux'),
  ip: shown.text('Address from which you signed in', '192.0.2.7'),
  current: shown.flag('True: the session of this request', true),
  last_used_at: shown.timestamp('When it was last used, to the minute'),
  expires_at: shown.timestamp('When it ends if it is not used until then'),
  created_at: shown.timestamp('When you signed in'),
});

const security = shown.value('AccountSecurity', 'Password, factors and sessions of the person', {
  email: shown.text('Your email address', 'ada@example.com'),
  has_password: shown.flag('False: you sign in by passkey alone, or have to set a password by mail', true),
  password_set_at: shown.unset(
    shown.timestamp('When you set your password; null: there is none, or it was set before this was kept'),
  ),
  authenticator_app: shown.flag('True: your sign-in asks for a code of an authenticator app', true),
  passkeys: shown.integer('Number of your passkeys', 1),
  recovery_codes: shown.integer('Number of recovery codes that are left', 10),
  sessions: shown.integer('Number of your sessions', 2),
});

const kind = { shape: session };
const resource = 'Session';

/** The session of the request, whose route admits only sessions. */
function sessionOf({ session: own }: ApiRequest): Pick<UsedSession, 'id' | 'personId'> {
  if (!own) throw new Error('a request without a session passed its route');
  return own;
}

/** Persons belong to no account, so that what is theirs is read and changed as the system. */
const asPerson = <T>({ caller }: ApiRequest, work: () => T): T => asSystem(work, caller.account.id);

async function listSessions(request: ApiRequest): Promise<Reply> {
  const { deps } = request;
  const { id: currentId, personId } = sessionOf(request);
  const rows = await asPerson(request, () => sessionsOf(deps.em.fork(), personId, deps.systemNow()));
  return reply(
    200,
    rows.map((row) => presentSession(row, { device: deviceName(row.userAgent ?? null), currentId })),
  );
}

async function endSession(request: ApiRequest): Promise<Reply> {
  const { deps } = request;
  const { personId } = sessionOf(request);
  const id = pathId(request, resource);
  const end = () => inTransaction(deps.em, (em) => revokeSession(em, { personId, id }, deps.systemNow()));
  if (!(await asPerson(request, end))) throw new Missing(resource, id);
  return reply(204, null);
}

async function readSecurity(request: ApiRequest): Promise<Reply> {
  const { deps } = request;
  const { personId } = sessionOf(request);
  return asPerson(request, async () => {
    const em = deps.em.fork();
    const person = await em.findOneOrFail(Person, { id: personId });
    const { hasTotp, passkeys, recoveryCodes } = await factorsOf(em, person);
    const sessions = await sessionsOf(em, personId, deps.systemNow());
    return reply(200, {
      email: person.email,
      has_password: Boolean(person.passwordHash),
      password_set_at: unixOrNull(person.passwordSetAt),
      authenticator_app: hasTotp,
      passkeys,
      recovery_codes: recoveryCodes,
      sessions: sessions.length,
    });
  });
}

const path = '/sessions';
const ofPerson = { permission: null, ofPerson: true, parameters: {} } as const;

export const sessionRoutes: Route[] = [
  {
    ...ofPerson,
    method: 'GET',
    path,
    operationId: 'readSessions',
    summary: 'Read your sessions, the one used last first: at most 100',
    answer: { statusCode: 200, kind, isArray: true },
    handle: listSessions,
  },
  {
    ...ofPerson,
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'endSession',
    summary: 'End a session of yours: its browser is signed out at once',
    storesNothing: true,
    answer: { statusCode: 204 },
    handle: endSession,
  },
  {
    ...ofPerson,
    method: 'GET',
    path: '/account/security',
    operationId: 'readSecurity',
    summary: 'Read how you sign in',
    answer: { statusCode: 200, kind: { shape: security } },
    handle: readSecurity,
  },
];
