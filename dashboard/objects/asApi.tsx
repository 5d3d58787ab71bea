import { useRouteContext } from '@tanstack/react-router';
import type { Kind, Row } from '../kinds/kind.ts';
import { apiOf } from '../place.ts';
import { API_VERSION } from '../session.ts';
import { CopyButton } from '../shell/copy.tsx';
import { useWords } from '../words.ts';

/** How a program reads this object. */
export function AsApi({ kind, row, id }: { kind: Kind; row: Row; id: string }) {
  const words = useWords();
  const { place } = useRouteContext({ from: '__root__' });
  const expand = kind.expand.length > 0 ? `?expand=${kind.expand.join(',')}` : '';
  const url = `${apiOf(place, location.origin)}/${kind.list}/${encodeURIComponent(id)}${expand}`;
  const curl = `curl '${url}' -u "$API_KEY:" -H 'Api-Version: ${API_VERSION}'`;
  const json = JSON.stringify(row, null, 2);
  return (
    <details className="api">
      <summary>{words.asApi}</summary>
      <p>{words.asApiWhat}</p>
      <Code name={words.curl} text={curl} />
      <Code name={words.json} text={json} />
    </details>
  );
}

function Code({ name, text }: { name: string; text: string }) {
  const words = useWords();
  return (
    <>
      <div className="codehead">
        <h3>{name}</h3>
        <CopyButton className="secondary" text={text} label={words.copy} />
      </div>
      <textarea className="code" aria-label={name} dir="ltr" readOnly spellCheck={false} value={text} />
    </>
  );
}
