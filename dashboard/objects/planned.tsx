import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { Answer } from '../../client/index.ts';
import type { ChasingWords } from '../../words/caring/wording.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { can } from '../session.ts';
import { useCaringWords, useWords } from '../words.ts';

/** How far the steps of a cadence are looked at. */
const DAYS_AHEAD = 60;

type Foreseen = Answer<'get', '/chasing_cadences/{id}/preview'>['customers'][number];

/** By which cadence a customer is asked for what it owes, and what comes next; of the reason, if nothing does. */
export interface ChasePlan {
  cadence: { id: number; name: string } | null;
  next: Foreseen['steps'][number] | null;
  reason: keyof ChasingWords['customer'] | null;
}

/** Reads the plan of a customer. Nobody is read for who may not see chasing. `id` empty: of none. */
export function useChasePlan(id: string) {
  const { session, me } = useRouteContext({ from: '__root__' });
  return useQuery({
    queryKey: ['chase plan', id],
    queryFn: async (): Promise<ChasePlan> => {
      const { api } = session;
      const { followed_cadence: cadence = null, ...row } = await api.get('/customers/{id}', {
        id: Number(id),
        include: 'followed_cadence',
      });
      if (cadence === null) return { cadence, next: null, reason: silenceOf(row) ?? 'no_cadence' };
      const { customers } = await api.get('/chasing_cadences/{id}/preview', {
        id: cadence.id,
        customer: Number(id),
        days: DAYS_AHEAD,
      });
      const [foreseen] = customers;
      const next = foreseen?.steps[0] ?? null;
      return { cadence, next, reason: next ? null : foreseen ? foreseen.reason : 'nothing_open' };
    },
    enabled: id !== '' && can(me, 'collections.read') && can(me, 'customers.read'),
  });
}

/** Why a customer is not asked at all, whatever cadence it follows. */
const silenceOf = ({ chase, credit_hold: isOnHold }: Row): keyof ChasingWords['customer'] | null =>
  chase === false ? 'switched_off' : isOnHold === true ? 'credit_hold' : null;

/** The next step of a cadence, or why there is none. */
export function PlannedStep({ plan: { next, reason } }: { plan: ChasePlan }) {
  const { chasing } = useCaringWords();
  const formats = useFormats();
  if (next)
    return (
      <>
        {formats.day(next.at)} – <span dir="auto">{next.name}</span> ({chasing.actions[next.action]})
      </>
    );
  if (reason === null) return fill(chasing.later, { days: DAYS_AHEAD });
  return fill(chasing.nothing, { why: chasing.customer[reason] });
}

/** What comes next for an invoice whose own timeline has no step ahead: a step of its customer's cadence, or the reason why nothing does. */
export function InvoicePlan({ row }: { row: Row }) {
  const words = useWords();
  const { chasing } = useCaringWords();
  const own = ownReason(row);
  const { customer } = row;
  const id =
    typeof customer === 'object' && customer !== null ? textOf({ ...customer }, 'id') : textOf(row, 'customer');
  const plan = useChasePlan(own === null ? id : '');
  if (own !== null) return <p className="next">{fill(chasing.nothing, { why: chasing.invoice[own] })}</p>;
  if (!plan.data) return null;
  return (
    <p className="next">
      {plan.data.next && <strong>{words.nextStep}: </strong>}
      <PlannedStep plan={plan.data} />
    </p>
  );
}

/** Why an invoice itself waits for nothing; null: somebody owes it. */
function ownReason({
  status,
  draft,
  closed,
  paid,
  written_off: writtenOff,
}: Row): keyof ChasingWords['invoice'] | null {
  if (draft === true) return 'draft';
  if (status === 'voided') return 'voided';
  if (closed === true) return paid === true && writtenOff === 0 ? 'paid' : 'closed';
  return status === 'pending' ? 'pending' : null;
}
