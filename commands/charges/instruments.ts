import type { PayingCard } from '../../billing/payments/convenienceFee.ts';
import type { SourceMethod } from '../../billing/payments/paymentMethods.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { gatewayForNewSource } from './gatewayOfNewSources.ts';
import { type TakenToken, takeServiceToken } from './serviceTokens.ts';

/** A single-use token of a gateway, encrypted. `isTestToken`: it has the form of the test gateway's. */
export interface NewInstrument {
  sealedToken: string;
  isTestToken: boolean;
}

/** A token that a page made by a publishable key, in plain text. */
export interface ServiceInstrument {
  serviceToken: string;
}

/**
 * Finds the gateway that takes a token. Marks a service token as used, so call it after everything else is locked. `card`: the card behind
 * a gateway's token. Null: the gateway does not tell.
 */
export async function takeInstrument(
  em: EntityManager,
  locked: LockedCustomer,
  wanted: {
    instrument: (NewInstrument & { card: PayingCard | null }) | ServiceInstrument;
    method: SourceMethod;
    currency: string;
    /** Whether the card or bank account is only stored. */
    isStoredOnly?: true;
  },
): Promise<TakenToken> {
  const { instrument, method, currency, isStoredOnly } = wanted;
  const { systemNow, caller } = locked.moment;
  if ('serviceToken' in instrument) {
    const paidIn = isStoredOnly ? null : currency;
    const named = { accountId: caller.account.id, token: instrument.serviceToken, method, currency: paidIn };
    return takeServiceToken(em, named, systemNow);
  }
  const { sealedToken, isTestToken, card } = instrument;
  return { sealedToken, card, gateway: await gatewayForNewSource(em, locked, { method, currency, isTestToken }) };
}
