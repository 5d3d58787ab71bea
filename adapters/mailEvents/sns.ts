import { verify, X509Certificate } from 'node:crypto';
import { Agent } from 'undici';
import { Refusal } from '../../billing/refusal.ts';
import { objectOf, textIn } from '../jsonValues.ts';
import { createConnector } from '../webhooks/connector.ts';
import { readAllowedHosts } from '../webhooks/egress.ts';

export interface SnsOptions {
  /** Origin of a server that replaces those of Amazon; null: Amazon. */
  server: string | null;
  /** Hosts that are exempt from the address rules of webhooks. */
  allowedHosts: Iterable<string>;
}

export const TOPIC = /^arn:aws[a-z-]*:sns:([a-z0-9-]{1,32}):\d{12}:[A-Za-z0-9_.-]{1,256}$/;
const REQUEST_MILLISECONDS = 10_000;
const MOST_BYTES = 64 * 1024;
const MOST_CERTIFICATES = 100;

const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const;

type SnsType = keyof typeof SIGNED;

/** A message of Amazon SNS whose signature and topic were checked. */
export interface SnsMessage {
  type: SnsType;
  message: string;
  subscribeUrl: string | null;
}

/** Reads messages of topics of Amazon SNS, and confirms subscriptions. Certificates are fetched from Amazon only, and kept. */
export function createSnsReader({ server, allowedHosts }: SnsOptions) {
  const agent = new Agent({ connect: createConnector(readAllowedHosts(allowedHosts)), pipelining: 1 });
  const certificates = new Map<string, X509Certificate>();
  const get = async (url: URL): Promise<string> => {
    const signal = AbortSignal.timeout(REQUEST_MILLISECONDS);
    const path = url.pathname + url.search;
    const { statusCode, body } = await agent.request({ origin: server ?? url.origin, path, method: 'GET', signal });
    const text = await beginningOf(body);
    if (statusCode !== 200) throw new Refusal('gateway_unavailable', `Amazon answered with ${statusCode}`);
    return text;
  };
  const certificateAt = async (url: URL): Promise<X509Certificate> => {
    const known = certificates.get(url.href);
    if (known) return known;
    const certificate = new X509Certificate(await get(url));
    if (certificates.size >= MOST_CERTIFICATES) certificates.clear();
    certificates.set(url.href, certificate);
    return certificate;
  };
  return {
    /** Throws a Refusal unless Amazon signed the message for this topic. */
    async read(topic: string, body: string): Promise<SnsMessage> {
      const message = objectOf(body);
      const type = typeOf(message);
      if (!message || !type) throw new Refusal('body_invalid', 'The event is no message of Amazon SNS');
      if (textIn(message, 'TopicArn') !== topic)
        throw new Refusal('signature_invalid', 'The event is of another topic');
      const url = amazonUrl(textIn(message, 'SigningCertURL'), topic);
      if (!url.pathname.endsWith('.pem'))
        throw new Refusal('signature_invalid', 'The certificate of the event is not one of Amazon SNS');
      const { publicKey } = await certificateAt(url).catch(() => {
        throw new Refusal('gateway_unavailable', 'The certificate of the event could not be read: send it again');
      });
      const algorithm = textIn(message, 'SignatureVersion') === '2' ? 'sha256' : 'sha1';
      const signature = Buffer.from(textIn(message, 'Signature') ?? '', 'base64');
      if (!verify(algorithm, signedText(message, type), publicKey, signature))
        throw new Refusal('signature_invalid', 'The signature of the event does not match');
      return { type, message: textIn(message, 'Message') ?? '', subscribeUrl: textIn(message, 'SubscribeURL') };
    },
    /** Confirms a subscription. Throws if Amazon does not accept it. */
    async confirm(topic: string, { subscribeUrl }: SnsMessage): Promise<void> {
      await get(amazonUrl(subscribeUrl, topic));
    },
    close: () => agent.destroy(),
  };
}

export type SnsReader = ReturnType<typeof createSnsReader>;

function typeOf(message: object | null): SnsType | null {
  const type = textIn(message, 'Type');
  return type === 'Notification' || type === 'SubscriptionConfirmation' || type === 'UnsubscribeConfirmation'
    ? type
    : null;
}

/** A URL of Amazon SNS in the region of the topic. Throws a Refusal for any other one. */
function amazonUrl(text: string | null, topic: string): URL {
  const [, region = ''] = TOPIC.exec(topic) ?? [];
  const url = text !== null && URL.canParse(text) ? new URL(text) : null;
  const hosts = [`sns.${region}.amazonaws.com`, `sns.${region}.amazonaws.com.cn`];
  if (url?.protocol === 'https:' && url.port === '' && !url.username && hosts.includes(url.hostname)) return url;
  throw new Refusal('signature_invalid', 'The event names an address that is not one of Amazon SNS');
}

/** The names and values that Amazon signs, one a line. */
export function signedText(message: object, type: SnsType): Buffer {
  const lines = SIGNED[type].flatMap((name) => {
    const value = textIn(message, name);
    return value === null ? [] : [name, value];
  });
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

async function beginningOf(body: AsyncIterable<unknown>): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) continue;
    parts.push(part);
    length += part.length;
    if (length > MOST_BYTES) throw new Refusal('gateway_unavailable', 'The answer of Amazon is too long');
  }
  return Buffer.concat(parts).toString('utf8');
}
