import type { PayingCard } from '../../billing/convenienceFee.ts';
import { methodOfSource, type SourceMethod } from '../../billing/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { refreshBy } from '../../db/refresh.ts';
import type { Account } from '../../db/schema/account.ts';
import { ServiceToken } from '../../db/schema/serviceToken.ts';
import { hashSecret, randomText } from '../kernel/secrets.ts';
import type { Cipher, DescribedSource } from '../ports.ts';
import { lockConfiguration } from './configurations.ts';
import { METHOD_WORDS } from './gatewayOfNewSources.ts';

const LIFE_MILLISECONDS = 2 * 3_600_000;
const SECRET_LETTERS = 40;

export interface NewServiceToken {
  account: Account;
  cipher: Cipher;
  method: SourceMethod;
  /** Token of the gateway, in plain text. */
  token: string;
  configuration: string;
  /** The card or bank account behind the token. Null: the gateway does not tell. */
  described: DescribedSource | null;
}

/**
 * Makes a service token of a gateway's token. Returns it in plain text; the database stores only its hash. Refuses one of the other method,
 * and one of a merchant account that was deleted meanwhile.
 */
export async function createServiceToken(
  em: EntityManager,
  { account, cipher, method, token, configuration, described }: NewServiceToken,
  systemNow: Date,
): Promise<{ row: ServiceToken; secret: string }> {
  const accountId = account.id;
  if (described && methodOfSource(described.type) !== method)
    throw new Refusal(`Gateway token stands for ${METHOD_WORDS[methodOfSource(described.type)]}`, 'method');
  if (!(await lockConfiguration(em, { accountId, configuration })))
    throw new Refusal('The payment gateway is not configured any more', 'gateway_token');
  const { service_token: id } = await reserveIds(em, 'service_token');
  const secret = `svt_${randomText(SECRET_LETTERS)}`;
  const row = em.create(ServiceToken, {
    accountId,
    id,
    hash: hashSecret(secret),
    method,
    gateway: configuration,
    sealedToken: cipher.encrypt(token),
    type: described?.type ?? null,
    brand: described?.brand ?? null,
    funding: described?.funding ?? null,
    last4: described?.last4 ?? null,
    createdAt: systemNow,
    expiresAt: new Date(systemNow.getTime() + LIFE_MILLISECONDS),
  });
  return { row, secret };
}

/** A service token as a request sends it. */
export interface NamedToken {
  accountId: number;
  token: string;
  method: SourceMethod;
}

export interface TakenToken {
  /** The gateway's token, encrypted. */
  sealedToken: string;
  /** Configuration of the gateway that takes it. */
  gateway: string;
  /** Null: the gateway does not tell. */
  card: PayingCard | null;
}

/**
 * Uses a service token up. Call it in the transaction that writes the attempt, after everything else was locked: a refusal of the request
 * then leaves the token as it was, and a decline does not. Of two requests with the same token, the second waits for the first and is
 * refused. Refuses, naming `service_token`, one that is unknown, expired, used, or for the other method, and one whose merchant account was
 * deleted. `systemNow`: real time.
 */
export async function takeServiceToken(em: EntityManager, named: NamedToken, systemNow: Date): Promise<TakenToken> {
  const { accountId, token, method } = named;
  const [taken] = await refreshBy(em, ServiceToken, {
    sql: `update service_token set used_at = ? where account_id = ? and hash = ? and used_at is null and expires_at > ? and method = ?
      returning *`,
    values: [systemNow, accountId, hashSecret(token), systemNow, method],
  });
  if (!taken) throw await refusalOf(em, named, systemNow);
  if (!(await lockConfiguration(em, { accountId, configuration: taken.gateway })))
    throw refused('was made at a merchant account that was deleted');
  return takenOf(taken);
}

/** Reads a service token without using it up, for a page that shows what will pay. Refuses what `takeServiceToken` refuses. */
export async function readServiceToken(em: EntityManager, named: NamedToken, systemNow: Date): Promise<ServiceToken> {
  const row = await em.findOne(ServiceToken, { accountId: named.accountId, hash: hashSecret(named.token) });
  if (row && row.usedAt === null && row.expiresAt > systemNow && row.method === named.method) return row;
  throw await refusalOf(em, named, systemNow);
}

/** The card or bank account of a service token, as the rules of convenience fees take it. Null: the gateway does not tell. */
export function cardOf({ type, brand, funding }: ServiceToken): PayingCard | null {
  return type ? { type, brand, funding } : null;
}

function takenOf(row: ServiceToken): TakenToken {
  return { sealedToken: row.sealedToken, gateway: row.gateway, card: cardOf(row) };
}

async function refusalOf(em: EntityManager, { accountId, token, method }: NamedToken, systemNow: Date) {
  const [row] = await refreshBy(em, ServiceToken, {
    sql: 'select * from service_token where account_id = ? and hash = ?',
    values: [accountId, hashSecret(token)],
  });
  if (!row) return refused('was not found, or has expired');
  if (row.expiresAt <= systemNow) return refused('has expired: it lives for two hours');
  if (row.method !== method) return refused(`is for ${METHOD_WORDS[row.method]}, not for ${METHOD_WORDS[method]}`);
  return refused('was already used');
}

function refused(reason: string): Refusal {
  return new Refusal(`Service token ${reason}`, 'service_token');
}
