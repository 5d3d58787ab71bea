import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { Panel } from '../customers/panel.tsx';
import { useFormats } from '../formats.ts';
import { currencyOf } from '../lists/value.tsx';
import type { Own } from '../objects/read.ts';
import { useWords } from '../words.ts';
import { useInvoicingWords } from './words.ts';

/** The installments of an invoice that has a payment plan, and which of them are paid. */
export function PlanPanel({ row, id }: Own) {
  const { acts, installment } = useInvoicingWords();
  const { choices, fields } = useWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const hasPlan = row.payment_plan !== null && row.payment_plan !== undefined;
  const plan = useQuery({
    queryKey: ['payment plan', id],
    queryFn: () => session.api.get('/invoices/{id}/payment_plan', { id: Number(id) }),
    enabled: hasPlan,
  });
  if (!hasPlan) return null;
  const currency = currencyOf(row) ?? 'usd';
  return (
    <Panel title={acts.plan.act} error={plan.error}>
      <ol className="installments">
        {plan.data?.installments.map(({ date, amount, balance }, place) => (
          <li key={date}>
            {fill(installment, {
              number: formats.number(place + 1),
              day: formats.day(date),
              amount: formats.money(amount, currency),
            })}{' '}
            {balance === 0 && <span className="status paid">{choices.invoiceStatus.paid}</span>}
            {balance > 0 && balance < amount && (
              <span className="status">
                {fields.balance}: {formats.money(balance, currency)}
              </span>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
