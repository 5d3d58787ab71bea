import type { LockedSubscription } from '../../../commands/aggregates/subscription.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import { type Foresight, foresee } from '../../../commands/subscriptions/foresight.ts';
import { mapBreathing } from '../../../db/fairness/breather.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { presentUpcomingCreditNote, presentUpcomingInvoice } from '../../../present/subscriptions/upcoming.ts';
import type { DryRun, Tried } from '../../writing/dryRun.ts';
import { subscriptionDryRun } from './upcomingShape.ts';

const kind = { shape: subscriptionDryRun };

/** Dry runs of changes of a subscription: its next invoices after the change. */
export const dryRunOfChange: DryRun<{ caller: Caller; id: number }, LockedSubscription> = {
  kind,
  answer: (em, tried, now) => foreseen(em, { ...tried, of: { id: tried.input.id } }, now),
};

/** Dry run of the creation of a subscription. Answers the subscription, its first invoices and credit notes. */
export const dryRunOfCreation: DryRun<{ caller: Caller; body: { customer: number } }, LockedSubscription> = {
  kind,
  answer: (em, tried, now) => foreseen(em, { ...tried, of: { customerId: tried.input.body.customer } }, now),
};

type Foreseeing = Tried<{ caller: Caller }, LockedSubscription> & Pick<Foresight<unknown>, 'of'>;

async function foreseen(em: EntityManager, { input, count, of, change }: Foreseeing, now: Date) {
  const isNew = 'customerId' in of; // then the subscription has an id only in this transaction
  const changed = async () => {
    const { result: at, shown } = await change();
    return { at, shown: isNew ? { ...shown, id: null, url: null } : shown };
  };
  const asked = { caller: input.caller, of, count, change: changed };
  const { shown, invoices, creditNotes } = await foresee(em, asked, now);
  return {
    subscription: shown,
    invoices: await mapBreathing(invoices, ({ invoice, lines }) => {
      const upcoming = presentUpcomingInvoice(invoice, lines);
      return isNew ? { ...upcoming, subscription: null } : upcoming;
    }),
    credit_notes: creditNotes.map(({ creditNote, lines, corrected: invoice }) => {
      return presentUpcomingCreditNote(creditNote, { lines, invoice });
    }),
  };
}
