import { sign } from 'node:crypto';
import { createServer } from 'node:http';
import { selfSigned } from '../../support/certificate.ts';
import { listen, portOf } from '../../support/listen.ts';

export const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:mail';
const HOST = 'https://sns.eu-central-1.amazonaws.com';

export interface AmazonServer {
  url: string;
  /** Tokens of the subscriptions that were confirmed. */
  confirmed: readonly string[];
  /** Number of times the certificate was fetched. */
  readonly fetches: number;
  /** A message of Amazon SNS, signed as Amazon does. `changed`: fields that are changed after it was signed. */
  message(fields: Readonly<Record<string, string>>, changed?: Readonly<Record<string, string>>): string;
  close(): Promise<void>;
}

/** The names whose values Amazon signs, in order, of each type of message. */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

/** Starts a server that stands for Amazon SNS: its certificate, and confirmations of subscriptions. */
export async function startAmazon(): Promise<AmazonServer> {
  const { cert, key } = selfSigned('sns.amazonaws.com');
  const confirmed: string[] = [];
  const state = { fetches: 0 };
  const server = await listen(
    createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', HOST);
      const isCertificate = pathname.endsWith('.pem');
      if (isCertificate) state.fetches += 1;
      else confirmed.push(searchParams.get('Token') ?? '');
      response.end(isCertificate ? cert : '<ConfirmSubscriptionResponse/>');
    }),
    0,
  );
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    confirmed,
    get fetches() {
      return state.fetches;
    },
    message(fields, changed = {}) {
      const whole: Record<string, string> = {
        Type: 'Notification',
        MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
        TopicArn: TOPIC,
        Timestamp: '2027-03-01T10:00:00.000Z',
        SignatureVersion: '2',
        SigningCertURL: `${HOST}/SimpleNotificationService-0123456789abcdef.pem`,
        ...fields,
      };
      const names = SIGNED[whole.Type ?? ''] ?? [];
      const text = names.filter((name) => name in whole).map((name) => `${name}\n${whole[name]}\n`);
      const algorithm = whole.SignatureVersion === '2' ? 'sha256' : 'sha1';
      const Signature = sign(algorithm, Buffer.from(text.join('')), key).toString('base64');
      return JSON.stringify({ ...whole, Signature, ...changed });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
