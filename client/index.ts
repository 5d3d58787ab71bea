export { type Auth, type Client, type ClientOptions, createClient, type RequestOptions } from './client.ts';
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
