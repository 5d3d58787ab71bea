import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { FormField, Values } from '../forms/field.ts';
import { usePromiseFields } from '../forms/options.ts';
import { currencyOf } from '../lists/value.tsx';
import type { Begun } from '../objects/acts.tsx';
import { asShown } from '../objects/read.ts';
import { useWords } from '../words.ts';
import { DocumentAct } from './act.tsx';
import { type Every, type Installment, installmentsOf, MOST_INSTALLMENTS } from './installments.ts';
import { useInvoicingWords } from './words.ts';

/** Notes that the customer pays the invoice on a day. */
export function PromiseToPay(begun: Begun) {
  const fields = usePromiseFields();
  return (
    <DocumentAct
      name="promise"
      list="invoices"
      begun={begun}
      sections={[{ title: null, fields }]}
      save={({ api, body }) =>
        asShown(api, begun).patch('/invoices/{id}', Object.assign({}, body), { id: Number(begun.id) })
      }
    />
  );
}

/** Writes off a part of the invoice, or all that is owed. */
export function WriteOff(begun: Begun) {
  const { fields: labels } = useWords();
  const formats = useFormats();
  const { balance } = begun.row;
  const whole = typeof balance === 'number' ? formats.typedNumber(String(balance)) : '';
  const fields: FormField[] = [
    { name: 'amount', label: labels.amount, kind: 'money', isRequired: true, initial: whole },
    { name: 'reason', label: labels.reason, kind: 'text', isRequired: true, isWide: true },
  ];
  return (
    <DocumentAct
      name="writeOff"
      list="invoices"
      begun={begun}
      isGrave
      sections={[{ title: null, fields }]}
      save={({ api, body }) => {
        const id = Number(begun.id);
        // An invoice on which nothing was paid is closed as a whole.
        if (body.amount === balance && balance === begun.row.total)
          return asShown(api, begun).patch('/invoices/{id}', { closed: true }, { id });
        return api.post('/invoices/{id}/write_off', Object.assign({ amount: 0, reason: '' }, body), { id });
      }}
    />
  );
}

/** Lets the invoice be paid in installments, which are drawn before. */
export function Plan(begun: Begun) {
  const words = useInvoicingWords();
  const formats = useFormats();
  const currency = currencyOf(begun.row) ?? '';
  const { balance } = begun.row;
  const scale = scaleOf(currency, balance);
  const units = typeof balance === 'number' ? Math.round(balance * scale) : 0;
  const fields: FormField[] = [
    { name: 'count', label: words.count, kind: 'number', isRequired: true, initial: '3' },
    { name: 'first', label: words.firstDay, kind: 'day', isRequired: true },
    {
      name: 'every',
      label: words.every,
      kind: 'choice',
      isRequired: true,
      initial: 'month',
      choices: Object.entries(words.intervals).map(([id, name]) => ({ id, name })),
    },
  ];
  return (
    <DocumentAct
      name="plan"
      list="invoices"
      begun={begun}
      sections={[{ title: null, fields }]}
      beside={(values) => <Drawn installments={planIn(values, units)} scale={scale} currency={currency} />}
      save={({ api, values }) => {
        const installments = planIn(values, units).map(({ day, units: part }) => ({
          date: formats.startOf(day),
          amount: part / scale,
        }));
        return asShown(api, begun).put('/invoices/{id}/payment_plan', { installments }, { id: Number(begun.id) });
      }}
    />
  );
}

/** How many parts one unit of the currency has: at least as many as the balance has decimals. Browsers know fewer for some currencies. */
function scaleOf(currency: string, balance: unknown): number {
  const { maximumFractionDigits: usual = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  const [, decimals = ''] = String(balance).split('.');
  return 10 ** Math.max(usual, decimals.length);
}

/** The installments of what was typed; none while it is not complete. */
function planIn({ count, first, every }: Values, units: number): Installment[] {
  const wanted = Number(count);
  const isComplete = Number.isInteger(wanted) && wanted > 0 && wanted <= MOST_INSTALLMENTS;
  if (!isComplete || typeof first !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(first)) return [];
  const rhythm: Every = every === 'week' ? 'week' : 'month';
  return installmentsOf(units, { count: wanted, first, every: rhythm });
}

interface DrawnShown {
  installments: readonly Installment[];
  scale: number;
  currency: string;
}

function Drawn({ installments, scale, currency }: DrawnShown) {
  const { installment } = useInvoicingWords();
  const formats = useFormats();
  if (installments.length === 0) return null;
  return (
    <ol className="preview installments" aria-live="polite">
      {installments.map(({ day, units }, index) => (
        <li key={day}>
          {fill(installment, {
            number: formats.number(index + 1),
            day: formats.day(formats.startOf(day)),
            amount: formats.money(units / scale, currency),
          })}
        </li>
      ))}
    </ol>
  );
}
