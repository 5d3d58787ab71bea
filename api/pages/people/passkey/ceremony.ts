import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { z } from 'zod';
import { type NewPasskey, userHandleOf } from '../../../../commands/people/passkeys.ts';
import type { Passkey } from '../../../../db/schema/person.ts';
import type { ApiDeps } from '../../../framework/deps.ts';

/** Where passkeys count: browsers offer those of this site's host, and say at which origin they were used. */
type Site = Pick<ApiDeps, 'publicUrl' | 'log'>;

const originOf = ({ publicUrl }: Site): string => new URL(publicUrl).origin;
const hostOf = ({ publicUrl }: Site): string => new URL(publicUrl).hostname;

/** The library throws what is wrong with a passkey. Nobody who signs in is told, but the operator is. */
function refused({ log }: Site, error: unknown): null {
  log.info({ err: error }, 'a passkey was refused');
  return null;
}

/** Whether the challenge that a browser signed counts. It is used up by this. */
export type TakesChallenge = (challenge: string) => Promise<boolean>;

const text = z.string().regex(/^[\w-]{1,20000}$/);
const id = z.string().regex(/^[\w-]{1,1400}$/);
const clientData = z.object({ challenge: id });
const created = z.object({
  id,
  rawId: id,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(10)
      .default([]),
  }),
});
const signed = z.object({
  id,
  rawId: id,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: z
      .string()
      .regex(/^[\w-]{0,100}$/)
      .nullish(),
  }),
});

/** What a browser sent, checked against its shape. Null: it is something else. */
function read<Shape extends z.ZodType>(shape: Shape, sent: string): z.infer<Shape> | null {
  try {
    return shape.safeParse(JSON.parse(sent)).data ?? null;
  } catch {
    return null;
  }
}

/** Uses up the challenge that was signed. Returns it as it was signed; null: it does not count. */
async function takenChallenge(
  { response }: { response: { clientDataJSON: string } },
  takes: TakesChallenge,
): Promise<string | null> {
  const challenge = read(clientData, textOf(response.clientDataJSON))?.challenge;
  return challenge !== undefined && (await takes(textOf(challenge))) ? challenge : null;
}

const textOf = (encoded: string): string => Buffer.from(encoded, 'base64url').toString('utf8');

/** Whether an attestation has no certificate: we ask for none, and certificates can name addresses that a check of them opens. */
function isBare(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
  return decoded.get('fmt') === 'none' || (decoded.get('fmt') === 'packed' && !decoded.get('attStmt').get('x5c'));
}

interface Adding {
  person: { id: number; email: string; name?: string | null };
  known: readonly Passkey[];
  challenge: string;
}

/** What a browser needs to make a passkey. One that can sign in alone is preferred; others count as second factor. */
export function creationOptions(site: Site, { person, known, challenge }: Adding): Promise<object> {
  return generateRegistrationOptions({
    rpName: 'Perennial',
    rpID: hostOf(site),
    userID: userHandleOf(person.id),
    userName: person.email,
    userDisplayName: person.name ?? person.email,
    challenge,
    timeout: 300_000,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Checks a new passkey. Null: it does not count. */
export async function checkCreated(
  site: Site,
  { sent, name, takes }: { sent: string; name: string; takes: TakesChallenge },
): Promise<NewPasskey | null> {
  const response = read(created, sent);
  const expectedChallenge = response && (await takenChallenge(response, takes));
  if (!expectedChallenge) return null;
  try {
    if (!isBare(response.response.attestationObject)) return null;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: originOf(site),
      expectedRPID: hostOf(site),
      requireUserVerification: false,
    });
    if (!registrationInfo) return null;
    const { id: credentialId, publicKey, counter } = registrationInfo.credential;
    const { transports } = response.response;
    return { credentialId, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports, name };
  } catch (error) {
    return refused(site, error);
  }
}

/** What a browser needs to use a passkey: one of `known`, or any that it has for this site. */
export function requestOptions(
  site: Site,
  { known, challenge }: { known: readonly Passkey[] | null; challenge: string },
): Promise<object> {
  const options = { rpID: hostOf(site), challenge, timeout: 300_000 };
  if (!known) return generateAuthenticationOptions({ ...options, userVerification: 'required' });
  const allowCredentials = known.map(({ credentialId, transports }) => ({ id: credentialId, transports }));
  return generateAuthenticationOptions({ ...options, allowCredentials, userVerification: 'preferred' });
}

/** A use of a passkey, before its signature is checked. */
export type Signed = z.infer<typeof signed>;
export const readSigned = (sent: string): Signed | null => read(signed, sent);

/** Whether a use names the person as the holder of the passkey, as one that signs in alone has to. */
export const namesHolder = ({ response }: Signed, personId: number): boolean =>
  response.userHandle === Buffer.from(userHandleOf(personId)).toString('base64url');

interface Checking {
  response: Signed;
  passkey: Passkey;
  takes: TakesChallenge;
  /** Whether the device has to have checked who holds it. */
  isVerified: boolean;
}

/**
 * Checks the signature of a passkey, its challenge, origin, host and flags. Null: it does not count. The count of signatures is left to the
 * caller, because one that goes back means more than a failure.
 */
export async function checkSigned(
  site: Site,
  { response, passkey, takes, isVerified }: Checking,
): Promise<{ counter: number; isVerified: boolean } | null> {
  const expectedChallenge = await takenChallenge(response, takes);
  if (!expectedChallenge) return null;
  const { userHandle, ...answer } = response.response;
  const publicKey = Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url'));
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...response,
        response: userHandle ? { ...answer, userHandle } : answer,
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: originOf(site),
      expectedRPID: hostOf(site),
      credential: { id: passkey.credentialId, publicKey, counter: 0 },
      requireUserVerification: isVerified,
    });
    const { newCounter: counter, userVerified } = authenticationInfo;
    return verified ? { counter, isVerified: userVerified } : null;
  } catch (error) {
    return refused(site, error);
  }
}
