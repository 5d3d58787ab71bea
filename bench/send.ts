import { headersOf } from './insideApi.ts';
import type { Stage } from './stage.ts';

/** Sends a request to the sandbox and returns the answer. `request`: method and path, as in `POST /invoices`. Throws for a refusal. */
export async function send(stage: Stage, request: string, body: object) {
  const [method = '', path] = request.split(' ');
  const url = `${stage.origin}/sandbox/api${path}`;
  const answer = await fetch(url, { method, headers: headersOf(stage), body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${request}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
