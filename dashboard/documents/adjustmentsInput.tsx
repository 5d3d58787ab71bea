import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { can } from '../session.ts';
import { useFormWords, useWords } from '../words.ts';
import type { Adjustment, Source } from './adjustments.ts';
import { useInvoicingWords } from './words.ts';

interface Shown {
  source: Source;
  label: string;
  value: readonly Adjustment[];
  change(value: readonly Adjustment[]): void;
}

/** The choice that makes an amount of its own. No coupon and no rate has this id. */
const OWN = '*';

/** Discounts or taxes: coupons or rates of the catalog, and amounts of their own. */
export function AdjustmentsInput({ source, label, value, change }: Shown) {
  const words = useInvoicingWords();
  const { removePair } = useFormWords();
  const formats = useFormats();
  const known = useKnown(source);
  const add = source === 'coupon' ? words.addDiscount : words.addTax;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border of its own
    <div role="group" aria-label={label} className="adjustments">
      {value.map((one, place) => {
        const name = one.code === '' ? words.ownAmount : one.name || one.code;
        const isWrong = one.amount.trim() !== '' && formats.plainNumber(one.amount) === null;
        return (
          <p key={place}>
            <span dir="auto">{name}</span>
            {one.code === '' && (
              <input
                className="number"
                inputMode="decimal"
                aria-label={`${label}: ${words.ownAmount}`}
                aria-invalid={isWrong}
                value={one.amount}
                onChange={({ target }) => change(value.with(place, { ...one, amount: target.value }))}
              />
            )}
            <button
              type="button"
              className="plain"
              aria-label={fill(removePair, { name })}
              onClick={() => change(value.toSpliced(place, 1))}
            >
              ✕
            </button>
          </p>
        );
      })}
      <select
        aria-label={`${label}: ${add}`}
        value=""
        onChange={({ target }) => {
          const id = target.value;
          const chosen = known.find((one) => one.id === id);
          const made = { id: '', code: chosen?.id ?? '', name: chosen?.name ?? '', amount: '' };
          if (chosen || id === OWN) change([...value, made]);
        }}
      >
        <option value="">{add}</option>
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value={OWN}>{words.ownAmount}</option>
      </select>
    </div>
  );
}

interface Known {
  id: string;
  name: string;
}

/** The coupons or rates of the catalog with what they are worth: `VAT · 19 %`. */
function useKnown(source: Source): readonly Known[] {
  const { session, me } = useRouteContext({ from: '__root__' });
  const formats = useFormats();
  const { empty } = useWords();
  const found = useQuery({
    queryKey: ['adjustments', source],
    queryFn: (): Promise<
      { id: string; name: string; value: number; is_percent: boolean; currency: string | null }[]
    > =>
      source === 'coupon'
        ? session.api.get('/coupons', { per_page: 100 })
        : session.api.get('/tax_rates', { per_page: 100 }),
    enabled: can(me, 'catalog.read'),
    staleTime: 60_000,
  });
  const percent = new Intl.NumberFormat(formats.language, { style: 'percent', maximumFractionDigits: 4 });
  return (found.data ?? []).map(({ id, name, value, is_percent: isPercent, currency }) => {
    const amount = currency === null ? formats.number(value) : formats.money(value, currency);
    return { id, name: `${name || empty} · ${isPercent ? percent.format(value / 100) : amount}` };
  });
}
