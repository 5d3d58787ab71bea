import * as oauth from 'openid-client';
import type { Stage } from '../../bench/stage.ts';
import { createClient } from '../../client/index.ts';
import { authorize, CALLBACK, oauthClient } from '../support/oauth.ts';

/** Registers an application and lets a member authorize it. Returns its access token for the sandbox, valid for an hour. */
export async function accessToken({ origin, sandboxKey, member }: Stage): Promise<string> {
  const client = createClient({ baseUrl: `${origin}/sandbox/api`, apiKey: sandboxKey });
  const registered = await client.post('/oauth_applications', { name: 'Fuzzer', redirect_uris: [CALLBACK] });
  const here = { origin, deps: { publicUrl: origin } };
  const config = oauthClient(here, { clientId: registered.client_id, secret: registered.client_secret });
  oauth.allowInsecureRequests(config); // over the loopback interface
  return (await authorize(here, config, { credentials: member })).access_token;
}
