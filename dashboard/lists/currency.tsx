import { useRouteContext } from '@tanstack/react-router';
import { useFormats } from '../formats.ts';
import { currenciesIn } from '../forms/codes.ts';
import type { Kind, Row } from '../kinds/kind.ts';
import { useWords } from '../words.ts';
import { currenciesOwed } from './rows.ts';
import { type Search, without } from './state.ts';

interface Shown {
  kind: Kind;
  search: Search;
  change(search: Search): void;
  rows: readonly Row[];
}

/** Chooses the currency of the balances that sort and filter a list: first those of the account and of the rows. */
export function BalanceCurrency({ kind, search, change, rows }: Shown) {
  const words = useWords();
  const { me } = useRouteContext({ from: '__root__' });
  const { language } = useFormats();
  const of = kind.fields.find(({ byCurrency }) => byCurrency)?.byCurrency;
  if (!of) return null;
  const chosen = search.currency ?? me.currency;
  const near = new Set([me.currency, chosen, ...currenciesOwed(rows, of)]);
  const all = currenciesIn(language);
  const options = [true, false].map((isNear) => all.filter(({ id }) => near.has(id) === isNear));
  return (
    <select
      className="currency"
      aria-label={words.currencyOfBalances}
      title={words.currencyOfBalances}
      value={chosen}
      onChange={({ target: { value } }) => {
        const others = without(search, ['currency']);
        change(value === me.currency ? others : { ...others, currency: value });
      }}
    >
      {options.map((some, place) => (
        <optgroup key={place} label={place === 0 ? words.currencyOfBalances : words.fields.currency}>
          {some.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
