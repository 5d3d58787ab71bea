import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What a page asks a browser for: the options of WebAuthn Level 3, sections 5.4 and 5.5, as JSON. */
export interface Asked {
  challenge: string;
  rpId?: string;
  rp?: { id: string };
  user?: { id: string };
  allowCredentials?: { id: string }[];
  excludeCredentials?: { id: string }[];
  userVerification?: string;
}

/** What a browser or authenticator does differently than it should. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Count of signatures. */
  counter?: number;
  isVerified?: boolean;
  isPresent?: boolean;
  userHandle?: string;
  type?: string;
  fmt?: string;
}

interface Held {
  id: string;
  key: KeyObject;
  userHandle: string;
  counter: number;
}

export interface Authenticator {
  held: Held[];
  /** Makes a passkey. Returns what the page of the browser sends. */
  create(asked: Asked, lies?: Lies): string;
  /** Uses the latest passkey, or the latest of those that the page allows. */
  use(asked: Asked, lies?: Lies): string;
}

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };

/** A browser at an origin with an authenticator that makes ES256 keys. `isVerifying`: it checks who holds it. */
export function createAuthenticator(origin: string, { isVerifying = true } = {}): Authenticator {
  const held: Held[] = [];
  const host = new URL(origin).hostname;
  const flagsOf = ({ isVerified = isVerifying, isPresent = true }: Lies): number =>
    (isPresent ? FLAGS.present : 0) | (isVerified ? FLAGS.verified : 0);
  /** Section 5.8.1, CollectedClientData. */
  const clientData = (type: string, { challenge }: Asked, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );
  return {
    held,
    create(asked, lies = {}) {
      const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = randomBytes(32);
      const counter = lies.counter ?? 0;
      held.push({ id: base64url(id), key, userHandle: asked.user?.id ?? '', counter });
      const attested = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, cbor(coseKey(publicKey))]);
      const flags = flagsOf(lies) | FLAGS.attested;
      const authData = Buffer.concat([head(lies.rpId ?? asked.rp?.id ?? host, { flags, counter }), attested]);
      const data = clientData('webauthn.create', asked, lies);
      // Section 8.2, packed attestation by the new key itself.
      const self = (): [Cbor, Cbor][] => [
        ['alg', -7],
        ['sig', sign('sha256', Buffer.concat([authData, sha256(data)]), key)],
      ];
      // Section 6.5.4, the attestation object.
      const attestation = new Map<Cbor, Cbor>([
        ['fmt', lies.fmt ?? 'none'],
        ['attStmt', new Map(lies.fmt === 'packed' ? self() : [])],
        ['authData', authData],
      ]);
      return JSON.stringify({
        ...credential(base64url(id)),
        response: {
          clientDataJSON: base64url(data),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal'],
        },
      });
    },
    use(asked, lies = {}) {
      const allowed = asked.allowCredentials?.map(({ id }) => id);
      const one = held.findLast(({ id }) => !allowed || allowed.includes(id)) ?? held.at(-1);
      if (!one) throw new Error('the authenticator holds no passkey');
      one.counter += 1;
      const counter = lies.counter ?? one.counter;
      const authData = head(lies.rpId ?? asked.rpId ?? host, { flags: flagsOf(lies), counter });
      const data = clientData('webauthn.get', asked, lies);
      // Section 6.3.3: the signature is over the authenticator data and the hash of the client data.
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), one.key);
      return JSON.stringify({
        ...credential(one.id),
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          userHandle: lies.userHandle ?? one.userHandle,
        },
      });
    },
  };
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url');
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
const credential = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} });

/** Section 6.1, authenticator data: hash of the RP ID, flags, count of signatures. */
function head(rpId: string, { flags, counter }: { flags: number; counter: number }): Buffer {
  return Buffer.concat([sha256(rpId), uint(flags, 1), uint(counter, 4)]);
}

function uint(value: number, bytes: number): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntBE(value, 0, bytes);
  return written;
}

/** A COSE key (RFC 9052 section 7, RFC 9053 section 7.1.1): kty EC2, alg ES256, crv P-256, x, y. */
function coseKey(key: KeyObject): Map<Cbor, Cbor> {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return new Map<Cbor, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
}

type Cbor = number | string | Buffer | Map<Cbor, Cbor>;

/** CBOR (RFC 8949): integers, byte strings, texts and maps. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? header(1, -1 - value) : header(0, value);
  if (typeof value === 'string') return Buffer.concat([header(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([header(2, value.length), value]);
  return Buffer.concat([header(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

/** The first bytes of an item: its major type and its value or length. */
function header(major: number, value: number): Buffer {
  if (value < 24) return uint((major << 5) | value, 1);
  const size = value < 0x100 ? 1 : value < 0x10000 ? 2 : 4;
  return Buffer.concat([uint((major << 5) | (size === 1 ? 24 : size === 2 ? 25 : 26), 1), uint(value, size)]);
}
