import { Link } from '@tanstack/react-router';
import { useFormats } from '../formats.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { currencyOf, Money } from '../lists/value.tsx';
import { useWords } from '../words.ts';
import { nameOf, rowsIn, sumsOf } from './sums.ts';

/** The lines of a document, and what makes its total of them. Nothing for other objects. */
export function Lines({ row }: { row: Row }) {
  const words = useWords();
  const lines = rowsIn(row, 'items');
  if (lines.length === 0) return null;
  const currency = currencyOf(row);
  return (
    <section aria-labelledby="lines">
      <h2 id="lines">{words.lines}</h2>
      <div className="scroll">
        <table className="related">
          <thead>
            <tr>
              <th scope="col">{words.lineName}</th>
              <th scope="col" className="number">
                {words.fields.quantity}
              </th>
              <th scope="col" className="money">
                {words.fields.unit_cost}
              </th>
              <th scope="col" className="money">
                {words.fields.amount}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Line key={String(line.id)} line={line} currency={currency} />
            ))}
          </tbody>
          <tfoot>
            {sumsOf(row, words.fields).map(({ name, amount }) => (
              <tr key={name}>
                <th scope="row" colSpan={3} dir="auto">
                  {name}
                </th>
                <td className="money" data-label={name}>
                  <Money amount={amount} currency={currency} />
                </td>
              </tr>
            ))}
          </tfoot>
        </table>
      </div>
    </section>
  );
}

function Line({ line, currency }: { line: Row; currency: string | null }) {
  const words = useWords();
  const formats = useFormats();
  const { quantity, unit_cost: cost, amount, description } = line;
  return (
    <tr>
      <th scope="row" dir="auto">
        {nameOf(line, 'name')}
        {typeof description === 'string' && <p className="why">{description}</p>}
      </th>
      <td className="number" data-label={words.fields.quantity}>
        {typeof quantity === 'number' && formats.number(quantity)}
      </td>
      <td className="money" data-label={words.fields.unit_cost}>
        {typeof cost === 'number' && <Money amount={cost} currency={currency} />}
      </td>
      <td className="money" data-label={words.fields.amount}>
        {typeof amount === 'number' && <Money amount={amount} currency={currency} />}
      </td>
    </tr>
  );
}

/** The documents that a payment was applied to. */
export function Applications({ row }: { row: Row }) {
  const words = useWords();
  const parts = rowsIn(row, 'applied_to');
  if (parts.length === 0) return null;
  return (
    <section aria-labelledby="applied">
      <h2 id="applied">{words.payments}</h2>
      <ul className="parts">
        {parts.map((part) => (
          <li key={String(part.id ?? part.invoice)}>
            <Applied part={part} />
            {typeof part.amount === 'number' && <Money amount={part.amount} currency={currencyOf(row)} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Applied({ part }: { part: Row }) {
  const words = useWords();
  const [list, of] = part.invoice
    ? (['invoices', part.invoice] as const)
    : (['credit_notes', part.credit_note] as const);
  if (typeof of !== 'object' || of === null) return <span>{String(part.type ?? words.fields.credit)}</span>;
  const document: Row = { ...of };
  return (
    <Link to="/$list/$id" params={{ list, id: textOf(document, 'id') }} dir="auto">
      {textOf(document, 'number') || textOf(document, 'name')}
    </Link>
  );
}
