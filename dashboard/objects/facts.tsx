import { type Kind, labelOf, type Row } from '../kinds/kind.ts';
import { Value } from '../lists/value.tsx';
import { useWords } from '../words.ts';

/** The fields of an object that have a value. */
export function Facts({ kind, row }: { kind: Kind; row: Row }) {
  const words = useWords();
  const inHead = [kind.status, kind.amount, 'payment_failure'];
  const fields = kind.fields
    .slice(1)
    .filter(({ name }) => !inHead.includes(name) && (name === 'address' ? isTold(row.address1) : isTold(row[name])));
  const metadata = Object.entries(typeof row.metadata === 'object' && row.metadata !== null ? row.metadata : {});
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">{words.facts}</h2>
      <dl className="facts">
        {fields.map((field) => (
          <div key={field.name}>
            <dt>{labelOf(field, words.fields)}</dt>
            <dd>
              <Value field={field} row={row} />
            </dd>
          </div>
        ))}
        {metadata.map(([name, value]) => (
          <div key={name}>
            <dt dir="auto">{name}</dt>
            <dd dir="auto">{String(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const isTold = (value: unknown): boolean => value !== null && value !== undefined && value !== '';
