import type { ErrorCode } from '../../billing/errorCodes.ts';
import type { PayingCard } from '../../billing/payments/convenienceFee.ts';
import { methodOfSource, type SourceMethod } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { findServiceToken, useServiceToken } from '../../db/queries/charges/gateways.ts';
import type { Account } from '../../db/schema/account.ts';
import { ServiceToken } from '../../db/schema/serviceToken.ts';
import { hashSecret, randomText } from '../kernel/secrets.ts';
import type { Cipher, DescribedSource } from '../ports/ports.ts';
import { lockConfiguration, METHOD_WORDS, takesCurrency } from './gateways.ts';

const LIFE_MILLISECONDS = 2 * 3_600_000;
const SECRET_LETTERS = 40;

export interface NewServiceToken {
  account: Account;
  cipher: Cipher;
  method: SourceMethod;
  /** Token of the gateway, in plain text. */
  token: string;
  configuration: string;
  /** The only currency in which it pays. Null: all that the merchant account takes. */
  currency: string | null;
  /** The card or bank account behind the token. Null: the gateway does not tell. */
  described: DescribedSource | null;
}

/**
 * Makes a service token of a gateway's token. Returns it in plain text; the database stores only its hash. Refuses one of the other method,
 * and one of a merchant account that was deleted meanwhile.
 */
export async function createServiceToken(
  em: EntityManager,
  { account, cipher, method, token, configuration, currency, described }: NewServiceToken,
  systemNow: Date,
): Promise<{ row: ServiceToken; secret: string }> {
  const accountId = account.id;
  if (described && methodOfSource(described.type) !== method)
    throw new Refusal(
      'parameter_invalid',
      `Gateway token stands for ${METHOD_WORDS[methodOfSource(described.type)]}`,
      'method',
    );
  if (!(await lockConfiguration(em, { accountId, configuration })))
    throw new Refusal('gateway_missing', 'The payment gateway is not configured any more', 'gateway_token');
  const { service_token: id } = await reserveIds(em, 'service_token');
  const secret = `svt_${randomText(SECRET_LETTERS)}`;
  const row = em.create(ServiceToken, {
    accountId,
    id,
    hash: hashSecret(secret),
    method,
    gateway: configuration,
    currency,
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
  /** Currency of the payment. Null: the card or bank account is only stored. */
  currency: string | null;
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
 * refused. Refuses, naming `service_token`, one that is unknown, expired, used, for the other method or for another currency, and one whose
 * merchant account was deleted or does not take the currency. `systemNow`: real time.
 */
export async function takeServiceToken(em: EntityManager, named: NamedToken, systemNow: Date): Promise<TakenToken> {
  const { accountId, token, method, currency } = named;
  const taken = await useServiceToken(em, { accountId, hash: hashSecret(token), method, currency }, systemNow);
  if (!taken) throw await refusalOf(em, named, systemNow);
  if (!(await lockConfiguration(em, { accountId, configuration: taken.gateway })))
    throw refused('gateway_missing', 'was made at a merchant account that was deleted');
  if (!(await isTaken(em, taken, named)))
    throw refused('currency_mismatch', `was made at a merchant account that takes no ${currency}`);
  return takenOf(taken);
}

/**
 * Reads a service token without using it up, to show its card or bank account. Refuses an unknown, expired or used token, and one for
 * another method or currency. `takeServiceToken` also checks the merchant account.
 */
export async function readServiceToken(em: EntityManager, named: NamedToken, systemNow: Date): Promise<ServiceToken> {
  const row = await em.findOne(ServiceToken, { accountId: named.accountId, hash: hashSecret(named.token) });
  const isFit = row?.method === named.method && (named.currency ?? row.currency) === (row.currency ?? named.currency);
  if (row && isFit && row.usedAt === null && row.expiresAt > systemNow) return row;
  throw await refusalOf(em, named, systemNow);
}

/** The card or bank account of a service token, as the rules of convenience fees take it. Null: the gateway does not tell. */
export function cardOf({ type, brand, funding }: ServiceToken): PayingCard | null {
  return type ? { type, brand, funding } : null;
}

function takenOf(row: ServiceToken): TakenToken {
  return { sealedToken: row.sealedToken, gateway: row.gateway, card: cardOf(row) };
}

/** Whether the merchant account of a token takes the currency. A token that names its currency was made for it. */
async function isTaken(em: EntityManager, row: ServiceToken, { accountId, method, currency }: NamedToken) {
  if (currency === null || row.currency !== null) return true;
  return takesCurrency(em, { accountId, configuration: row.gateway }, { method, currency });
}

async function refusalOf(em: EntityManager, { accountId, token, method, currency }: NamedToken, systemNow: Date) {
  const row = await findServiceToken(em, { accountId, hash: hashSecret(token) });
  if (!row) return refused('resource_missing', 'was not found, or has expired');
  if (row.expiresAt <= systemNow) return refused('state_conflict', 'has expired: it lives for two hours');
  if (row.method !== method)
    return refused('parameter_invalid', `is for ${METHOD_WORDS[row.method]}, not for ${METHOD_WORDS[method]}`);
  if (row.usedAt) return refused('state_conflict', 'was already used');
  return refused('currency_mismatch', `is for payments in ${row.currency}, not in ${currency}`);
}

function refused(code: ErrorCode, reason: string): Refusal {
  return new Refusal(code, `Service token ${reason}`, 'service_token');
}
