import { Link, useNavigate } from '@tanstack/react-router';
import { type Shown, whose } from './items.ts';
import { useWorkWords } from './words.ts';

/** Whose work of which kind is shown. */
export function Filters({ shown: { who, kind } }: { shown: Shown }) {
  const words = useWorkWords();
  const navigate = useNavigate({ from: '/worklist' });
  const kinds = Object.entries(words.kind);
  return (
    <div className="whose">
      <nav aria-label={words.whose} className="presets">
        {whose.map((one) => (
          <Link
            key={one}
            to="/worklist"
            search={{ who: one, ...(kind === null ? {} : { kind }) }}
            className={one === who ? 'preset applied' : 'preset'}
            aria-current={one === who ? 'page' : undefined}
            activeOptions={{ exact: true }}
          >
            {words.who[one]}
          </Link>
        ))}
      </nav>
      <label>
        <span className="hidden">{words.kindLabel}</span>
        <select
          value={kind ?? ''}
          onChange={({ target: { value } }) => navigate({ search: { who, ...(value === '' ? {} : { kind: value }) } })}
        >
          <option value="">{words.everything}</option>
          {kinds.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
