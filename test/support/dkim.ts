import { generateKeyPairSync } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

/** A sender without its key. */
export const SENDER = { address: 'billing@acme.example', domain: 'acme.example', selector: 'mail2027' } as const;

/** A key that signs mails: the private one as PEM, the public one as a DNS record has it. */
export function dkimKey(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

/** The result of strict DKIM verification of a raw mail by another program. `record`: the DNS record of the key. */
export async function verifiedDkim(
  raw: Buffer,
  publicKey: string,
  record = `v=DKIM1; k=rsa; p=${publicKey}`,
): Promise<{ result: string; domain: string; headers: string }> {
  const resolver = async (name: string, type: string) => {
    if (name !== 'mail2027._domainkey.acme.example' || type !== 'TXT')
      throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return [[record]];
  };
  const { results } = await dkimVerify(raw, { resolver, strict: true });
  const [first] = results;
  return {
    result: first?.status.result ?? 'none',
    domain: first?.signingDomain ?? '',
    headers: (first?.signingHeaders?.keys ?? '').toLowerCase(),
  };
}
