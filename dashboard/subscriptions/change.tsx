import { useFormats } from '../formats.ts';
import type { Finder, FormField, Section } from '../forms/field.ts';
import type { Row } from '../kinds/kind.ts';
import { currencyOf } from '../lists/value.tsx';
import type { Begun } from '../objects/acts.tsx';
import { useWords } from '../words.ts';
import { digitsOf } from '../written.ts';
import { SubscriptionAct, section } from './act.tsx';
import { changeAsked } from './asked.ts';
import { useSubscribingWords } from './words.ts';

/** Changes plan, quantity and price. */
export function ChangeSubscription(begun: Begun) {
  const formats = useFormats();
  const sections = useSections();
  return (
    <SubscriptionAct
      name="change"
      begun={begun}
      sections={sections}
      ask={(values, { first, now }) => changeAsked(values, { first: first.row, row: now.row, asOf: now.asOf, formats })}
    />
  );
}

function useSections(): (row: Row) => readonly Section[] {
  const { fields } = useWords();
  const { change: words } = useSubscribingWords();
  const formats = useFormats();
  const finder = usePlanFinder();
  const choices = (named: Readonly<Record<string, string>>) =>
    Object.entries(named).map(([id, name]) => ({ id, name }));
  return (row) => {
    const numberIn = (name: string) => {
      const value = row[name];
      return typeof value === 'number' ? formats.typedNumber(digitsOf(value)) : '';
    };
    const plan = typeof row.plan === 'object' && row.plan !== null && 'id' in row.plan ? String(row.plan.id) : '';
    const amount: FormField = {
      name: 'amount',
      label: fields.amount,
      kind: 'money',
      hint: words.amountHint,
      initial: numberIn('amount'),
    };
    const hasAmount = typeof row.amount === 'number';
    return [
      section([
        {
          name: 'plan',
          label: fields.plan,
          kind: 'reference',
          isRequired: true,
          isWide: true,
          none: words.choose,
          initial: plan,
          finder: finder(currencyOf(row)),
        },
        { name: 'quantity', label: fields.quantity, kind: 'number', isRequired: true, initial: numberIn('quantity') },
        ...(hasAmount ? [amount] : []),
        {
          name: 'when',
          label: words.when,
          kind: 'choice',
          isRequired: true,
          isWide: true,
          initial: 'next',
          choices: choices(words.times),
        },
      ]),
      {
        title: words.further,
        isFolded: true,
        fields: [
          { name: 'proration_date', label: words.countsFrom, kind: 'day', hint: words.countsFromHint },
          { name: 'cycles', label: words.cycles, kind: 'number', hint: words.cyclesHint },
          ...(hasAmount ? [] : [amount]),
        ],
      },
    ];
  };
}

/** Finds plans of a currency by their name and id, with what they cost. */
function usePlanFinder(): (currency: string | null) => Finder {
  const formats = useFormats();
  const { choices } = useWords();
  return (currency) => ({
    search: async (api, text) => {
      const found = await api.get('/plans', {
        per_page: 8,
        ...(currency === null ? {} : { filter: { currency } }),
        ...(text === '' ? { sort: 'name' } : { search: text }),
      });
      return found.map(({ id, name, amount, currency: of, interval, interval_count: count }) => {
        const each =
          count === 1 ? choices.interval[interval] : `${formats.number(count)} × ${choices.interval[interval]}`;
        return { id, name, hint: [amount === null ? '' : formats.money(amount, of), each].filter(Boolean).join(' · ') };
      });
    },
    read: async (api, id) => ({ id, name: (await api.get('/plans/{id}', { id })).name }),
  });
}
