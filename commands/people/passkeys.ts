import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Passkey, Person } from '../../db/schema/person.ts';
import { logActOfPerson } from '../kernel/auditLog.ts';
import { hashSecret } from '../kernel/secrets.ts';
import { dropUselessCodes } from './factors.ts';
import { tellPerson } from './mails.ts';
import { newSecret, takeSecret } from './secrets.ts';

const MOST_PASSKEYS = 20;

/** What a challenge is for. `bound`: the secret of the browser that asked for it; nothing counts from another one. */
export interface ChallengeUse {
  use: 'add' | 'sign_in' | 'second_factor';
  bound: string;
}

const boundTo = ({ use, bound }: ChallengeUse): string => hashSecret(`${use}:${bound}`);

/** A new challenge, which a passkey signs. It counts once, for five minutes. */
export function newChallenge(
  em: EntityManager,
  { personId, ...of }: ChallengeUse & { personId: number | null },
  now: Date,
): string {
  return newSecret(em, { purpose: 'passkey', personId, data: { boundTo: boundTo(of) } }, now);
}

/** Uses a challenge up. False: it does not count here, or no longer. One that another browser got is used up, too. */
export async function takeChallenge(
  em: EntityManager,
  { challenge, ...of }: ChallengeUse & { challenge: string },
  now: Date,
): Promise<boolean> {
  const taken = await takeSecret(em, { purpose: 'passkey', secret: challenge }, now);
  return taken !== null && Reflect.get(taken.data, 'boundTo') === boundTo(of);
}

/**
 * Id of a person for its authenticators, 32 bytes. It says nothing about the person, and stays the same, so that a new passkey in the same
 * place replaces the one before.
 */
export const userHandleOf = (personId: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(hashSecret(`passkeys of person ${personId}`), 'hex'));

export function passkeysOf(em: EntityManager, person: Person | number): Promise<Passkey[]> {
  return em.find(Passkey, { person }, { orderBy: { id: 'asc' }, limit: MOST_PASSKEYS });
}

/** A passkey as an authenticator made it. */
export interface NewPasskey {
  /** Base64url. */
  credentialId: string;
  /** Base64url of the COSE key. */
  publicKey: string;
  counter: number;
  transports: string[];
  name: string;
}

/** Stores a passkey of a person. Refuses one that is stored already, and the 21st of a person. */
export async function addPasskey(
  em: EntityManager,
  { person, passkey }: { person: Person; passkey: NewPasskey },
  now: Date,
): Promise<void> {
  if ((await em.count(Passkey, { credentialId: passkey.credentialId })) > 0)
    throw new Refusal('already_taken', 'This passkey was added before');
  if ((await em.count(Passkey, { person })) >= MOST_PASSKEYS)
    throw new Refusal('limit_exceeded', `A person has at most ${MOST_PASSKEYS} passkeys: remove one first`);
  em.create(Passkey, { person, ...passkey, lastUsedAt: null, createdAt: now });
}

/** Removes a passkey of a person; the recovery codes go with the last factor. Refuses one that the person does not have. */
export async function removePasskey(em: EntityManager, { person, id }: { person: Person; id: number }): Promise<void> {
  if ((await em.nativeDelete(Passkey, { person, id })) === 0)
    throw new Refusal('resource_missing', 'This passkey was removed already', 'id');
  await dropUselessCodes(em, person);
}

/**
 * Notes the use of a passkey whose signature was checked. `copied`: its count of signatures went back, as that of a copy does. `late`:
 * another use came first, or the passkey was removed.
 */
export async function usePasskey(
  em: EntityManager,
  { passkey, counter }: { passkey: Passkey; counter: number },
  now: Date,
): Promise<'used' | 'copied' | 'late'> {
  const { id, counter: last } = passkey;
  if ((counter > 0 || last > 0) && counter <= last) return 'copied';
  const used = await em.nativeUpdate(Passkey, { id, counter: last }, { counter, lastUsedAt: now });
  return used === 1 ? 'used' : 'late';
}

/** Tells a person, and the logs of its accounts, that a passkey may have been copied. */
export async function reportCopy(
  em: EntityManager,
  { passkey, from }: { passkey: Passkey; from: string },
  now: Date,
): Promise<void> {
  const person = await em.findOneOrFail(Person, { id: passkey.person.id });
  const reason = 'suspicious passkey: its count of signatures went back';
  await logActOfPerson(em, person.id, { kind: 'failure', operation: 'signIn', reason }, now);
  tellPerson(em, { person, what: 'A passkey was refused, because it may have been copied', from }, now);
}
