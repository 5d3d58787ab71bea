import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouteContext } from '@tanstack/react-router';
import { isCard, nameOf } from '../customers/sources.tsx';
import { useFormats } from '../formats.ts';
import type { FormField } from '../forms/field.ts';
import { idIn, type Row, textOf } from '../kinds/kind.ts';
import { ActForm, type Begun, type Offered } from '../objects/acts.tsx';
import type { Own } from '../objects/read.ts';
import { can } from '../session.ts';
import { useFormWords, useWords } from '../words.ts';
import { digitsOf } from '../written.ts';
import { useReceivingWords } from './words.ts';

/** The cards and bank accounts of a customer that can be charged. */
function useChargeable(customer: string, isAsked = true) {
  const { session, me } = useRouteContext({ from: '__root__' });
  const sources = useQuery({
    queryKey: ['sources', customer],
    queryFn: () => session.api.get('/customers/{id}/payment_sources', { id: Number(customer), per_page: 100 }),
    enabled: isAsked && customer !== '' && can(me, 'payments.read'),
  });
  return (sources.data ?? []).filter((source) => isCard(source) || source.verified);
}

/** What brings in the money of an open invoice. */
export function usePayingActs({ row, id }: Own, isOpen: boolean): Offered[] {
  const { acts } = useReceivingWords();
  const navigate = useNavigate();
  const sources = useChargeable(idIn(row.customer), isOpen);
  const record: Offered = {
    name: 'record',
    label: acts.record,
    permissions: ['payments.write'],
    does: {
      go: () => void navigate({ to: '/$list/new', params: { list: 'payments' }, search: { from: `invoices/${id}` } }),
    },
  };
  const charge: Offered = {
    name: 'charge',
    label: acts.charge.act,
    permissions: ['payments.write'],
    does: { Dialog: Charge },
  };
  if (!isOpen) return [];
  return sources.length > 0 ? [record, charge] : [record];
}

/** Charges a stored card or bank account of the customer. */
function Charge(begun: Begun) {
  const words = useReceivingWords();
  const { care } = useFormWords();
  const { fields } = useWords();
  const formats = useFormats();
  const { row, id } = begun;
  const customer = idIn(row.customer);
  const sources = useChargeable(customer);
  const usual = usualSource(row);
  const form: FormField[] = [
    {
      name: 'payment_source_id',
      label: words.source,
      kind: 'choice',
      isId: true,
      isRequired: true,
      isWide: true,
      choices: sources.map((source) => ({ id: String(source.id), name: nameOf(source, care) })),
      initial: sources.some((one) => String(one.id) === usual) ? usual : String(sources[0]?.id ?? ''),
    },
    {
      name: 'amount',
      label: fields.amount,
      kind: 'money',
      isRequired: true,
      initial: typeof row.balance === 'number' ? formats.typedNumber(digitsOf(row.balance)) : '',
    },
  ];
  return (
    <ActForm
      words={words.acts.charge}
      begun={begun}
      about={`invoices/${id}/charge`}
      named={textOf(row, 'number')}
      isGrave
      sections={[{ title: null, fields: form }]}
      save={({ api, body, values }) => {
        const source = sources.find((one) => String(one.id) === values.payment_source_id);
        const isOfCard = source !== undefined && isCard(source);
        const paid = Object.assign({ amount: 0 }, body);
        const { amount } = paid;
        return api.post(
          '/charges',
          Object.assign(
            {
              customer: Number(customer),
              method: isOfCard ? ('credit_card' as const) : ('ach' as const),
              payment_source_type: isOfCard ? ('card' as const) : ('bank_account' as const),
              currency: textOf(row, 'currency'),
              applied_to: [{ type: 'invoice' as const, invoice: Number(id), amount }],
            },
            paid,
          ),
        );
      }}
    />
  );
}

/** Id of the source that AutoPay charges. */
const usualSource = ({ customer }: Row): string => {
  const owner: Row = typeof customer === 'object' && customer !== null ? { ...customer } : {};
  return idIn(owner.payment_source);
};
