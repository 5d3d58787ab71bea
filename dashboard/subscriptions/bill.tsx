import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { Money } from '../lists/value.tsx';
import { rowsIn, sumsOf } from '../objects/sums.ts';
import { useWords } from '../words.ts';
import { useSubscribingWords } from './words.ts';

/** The lines of a document that is foreseen, and what makes its total of them. */
export function Bill({ title, document }: { title: string; document: Row }) {
  const { fields, lines } = useWords();
  const { follows } = useSubscribingWords();
  const currency = textOf(document, 'currency') || null;
  const sums = sumsOf(document, fields).filter(({ name }) => name !== fields.balance);
  const { object, total, balance } = document;
  const isPaidByCredit =
    object === 'invoice' && typeof balance === 'number' && typeof total === 'number' && balance < total;
  return (
    <table className="bill" aria-label={`${lines}: ${title}`}>
      <tbody>
        {rowsIn(document, 'items').map((line, place) => (
          <Line key={place} line={line} currency={currency} />
        ))}
      </tbody>
      <tfoot>
        {(sums.length > 2 ? sums : sums.slice(-1)).map(({ name, amount }) => (
          <tr key={name}>
            <th scope="row">
              <span dir="auto">{name}</span>
            </th>
            <td>
              <Money amount={amount} currency={currency} />
            </td>
          </tr>
        ))}
        {isPaidByCredit && (
          <tr>
            <th scope="row">{follows.afterCredit}</th>
            <td>
              <Money amount={balance} currency={currency} />
            </td>
          </tr>
        )}
      </tfoot>
    </table>
  );
}

function Line({ line, currency }: { line: Row; currency: string | null }) {
  const words = useSubscribingWords();
  const formats = useFormats();
  const { quantity, amount, period_start: start, period_end: end } = line;
  const name = textOf(line, 'name');
  const hasPeriod = typeof start === 'number' && typeof end === 'number';
  return (
    <tr>
      <th scope="row">
        <span dir="auto">
          {typeof quantity === 'number' && quantity !== 1
            ? fill(words.sold, { quantity: formats.number(quantity), name })
            : name}
        </span>
        {hasPeriod && <small>{fill(words.period, { start: formats.day(start), end: formats.day(end) })}</small>}
      </th>
      <td>{typeof amount === 'number' && <Money amount={amount} currency={currency} />}</td>
    </tr>
  );
}
