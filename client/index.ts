export {
  type Auth,
  type Bytes,
  type ByteType,
  type Client,
  type ClientOptions,
  createClient,
  type Full,
  type RequestOptions,
  type Session,
} from './client.ts';
export { ApiError, ConnectionError } from './errors.ts';
export type {
  Answer,
  Body,
  DryRunAnswer,
  DryRunParams,
  DryRunPath,
  Element,
  ListPath,
  Method,
  Params,
  PathWith,
} from './operations.ts';
export type { Page } from './pages.ts';
export type * from './schema.ts';
export { InvalidWebhook, type ReceivedWebhook, verifyWebhook, type WebhookCheck } from './webhooks.ts';
