import { useFormats } from '../formats.ts';
import type { FormField } from '../forms/field.ts';
import type { Row } from '../kinds/kind.ts';
import type { Begun } from '../objects/acts.tsx';
import { useWords } from '../words.ts';
import { SubscriptionAct, section } from './act.tsx';
import { cancelAsked, renewalAsked } from './asked.ts';
import { useSubscribingWords } from './words.ts';

const choicesOf = (named: Readonly<Record<string, string>>) =>
  Object.entries(named).map(([id, name]) => ({ id, name }));

/** Cancels a subscription, now or at the end of its period. */
export function CancelSubscription(begun: Begun) {
  const { reason } = useWords().fields;
  const { cancel: words } = useSubscribingWords();
  const fields = (row: Row): FormField[] => {
    const isPossible = (id: string) =>
      id === 'period_end' ? row.cancel_at_period_end !== true : id !== 'remaining' || typeof row.cycles === 'number';
    const times = choicesOf(words.times).filter(({ id }) => isPossible(id));
    const [usual] = times;
    return [
      {
        name: 'when',
        label: words.when,
        kind: 'choice',
        isRequired: true,
        isWide: true,
        initial: usual?.id ?? 'now',
        choices: times,
      },
      {
        name: 'cancellation_reason',
        label: reason,
        kind: 'choice',
        none: words.noReason,
        choices: choicesOf(words.reasons),
      },
      { name: 'cancellation_comment', label: words.comment, kind: 'textarea' },
    ];
  };
  return (
    <SubscriptionAct
      name="cancel"
      begun={begun}
      isGrave
      sections={(row) => [section(fields(row))]}
      ask={(values, { now }) => cancelAsked(values, now)}
    />
  );
}

/** Takes back a cancellation that is planned. */
export const KeepSubscription = (begun: Begun) => (
  <SubscriptionAct name="keep" begun={begun} ask={() => ({ how: 'change', body: { cancel_at_period_end: false } })} />
);

/** Drops a change that is planned. */
export const DropChange = (begun: Begun) => (
  <SubscriptionAct name="dropChange" begun={begun} ask={() => ({ how: 'change', body: { pending_change: null } })} />
);

/** Begins another contract. */
export function RenewContract(begun: Begun) {
  const { renew: words } = useSubscribingWords();
  const formats = useFormats();
  const fields = (row: Row): FormField[] => {
    const cycles = row.contract_renewal_cycles ?? row.cycles;
    return [
      {
        name: 'cycles',
        label: words.cycles,
        kind: 'number',
        initial: typeof cycles === 'number' ? String(cycles) : '',
      },
      {
        name: 'start',
        label: words.start,
        kind: 'choice',
        isRequired: true,
        initial: 'end',
        choices: choicesOf(words.starts),
      },
    ];
  };
  return (
    <SubscriptionAct
      name="renew"
      begun={begun}
      sections={(row) => [section(fields(row))]}
      ask={(values) => renewalAsked(values, formats)}
    />
  );
}
