import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import type { Kind, Row } from '../kinds/kind.ts';
import { apiOf } from '../place.ts';
import { API_VERSION } from '../session.ts';
import { CopyButton } from '../shell/taking.tsx';
import { useWords } from '../words.ts';
import { bodyThatMakes } from './making.ts';

/** How a program makes such an object, and how it reads this one. */
export function AsApi({ kind, row, id }: { kind: Kind; row: Row; id: string }) {
  const words = useWords();
  const { place } = useRouteContext({ from: '__root__' });
  const [open, setOpen] = useState(false);
  const api = apiOf(place, location.origin);
  const { data: document } = useQuery({
    queryKey: ['openapi'],
    queryFn: async (): Promise<unknown> => (await fetch(`${api}/openapi.json`)).json(),
    enabled: open,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const expand = kind.expand.length > 0 ? `?expand=${kind.expand.join(',')}` : '';
  const body = document === undefined ? null : bodyThatMakes(document, kind.list, row);
  return (
    <details className="api" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.asApi}</summary>
      <p>{words.asApiWhat}</p>
      {body !== null && <Code name={words.curlMakes} text={curl(`${api}/${kind.list}`, body)} />}
      <Code name={words.curlReads} text={curl(`${api}/${kind.list}/${encodeURIComponent(id)}${expand}`)} />
      <Code name={words.json} text={JSON.stringify(row, null, 2)} />
    </details>
  );
}

function curl(url: string, body?: unknown): string {
  const request = `curl '${url}' -u "$API_KEY:" -H 'Api-Version: ${API_VERSION}'`;
  if (body === undefined) return request;
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return `${request} -H 'Content-Type: application/json' -d '${json}'`;
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
