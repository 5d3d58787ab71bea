import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { configTable, readConfig } from '../../../bin/config.ts';
import { closeMillisecondsOf } from '../../../bin/worker.ts';
import { projectFolder } from '../../suites.ts';
import { goProgram } from '../../support/goProgram.ts';
import { ensureKubernetesValidate } from '../../tools.ts';

/** The chart of deploy/helm, as Helm renders it. No cluster runs it here. */

const HELM = { name: 'helm', package: 'helm.sh/helm/v3/cmd/helm', version: 'v3.19.5' };
const chart = join(projectFolder, 'deploy', 'helm', 'perennial');
/** The oldest and the newest version of Kubernetes whose schemas are asked. */
const KUBERNETES = ['1.30.0', '1.37.0'];
const everything = [
  'files.existingClaim=files',
  'ingress.enabled=true',
  'ingress.tlsSecret=tls',
  'podMonitor.enabled=true',
  'imagePullSecrets[0].name=registry',
];

const podShape = z.object({
  terminationGracePeriodSeconds: z.number().default(30),
  securityContext: z.object({ runAsNonRoot: z.literal(true) }),
  enableServiceLinks: z.literal(false),
  containers: z.tuple([
    z.object({
      image: z.string(),
      args: z.array(z.string()),
      env: z.array(z.object({ name: z.string(), value: z.string() })),
      envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }) })),
    }),
  ]),
});
type Pod = z.output<typeof podShape>;

let helm: string;
beforeAll(async () => {
  helm = await goProgram(HELM);
});

const render = (values: readonly string[]) => {
  const version = ['--kube-version', KUBERNETES.at(-1) ?? ''];
  return execFileSync(helm, ['template', 'billing', chart, ...version, '--set', values.join()], { encoding: 'utf8' });
};

/** The pods of a rendered chart, by role. */
function podsOf(rendered: string): Map<string, Pod> {
  const resources = parseAllDocuments(rendered).map((document) => document.toJSON());
  const pods = resources.flatMap((resource) => resource?.spec?.template?.spec ?? []).map((pod) => podShape.parse(pod));
  return new Map(pods.map((pod) => [pod.containers[0].args.join(' '), pod]));
}

const variablesOf = ({ containers: [{ env }] }: Pod) => Object.fromEntries(env.map(({ name, value }) => [name, value]));

test('helm lint finds nothing', () => {
  const { status, stdout } = spawnSync(helm, ['lint', '--strict', chart, '--set', everything.join()], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('0 chart(s) failed') });
});

test.each(KUBERNETES)('all resources fit the schemas of Kubernetes %s', (version) => {
  const program = ensureKubernetesValidate(join(projectFolder, '.data', 'cache'), () => undefined);
  const args = ['--strict', '--kubernetes-version', version, '-'];
  const { status, stdout, stderr } = spawnSync(program, args, { input: render(everything), encoding: 'utf8' });
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => !/^INFO .* passed for resource/.test(line));
  expect({ status, lines: lines.filter((line) => line !== '' && !line.includes('PodMonitor')) }).toEqual({
    status: 0,
    lines: [],
  });
});

test('a chart without a place for uploaded files is refused', () => {
  const { status, stderr } = spawnSync(helm, ['template', 'billing', chart], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('set files.existingClaim, or S3_BUCKET'),
  });
});

test('every variable is one that Perennial or Node reads, with a value that it accepts', () => {
  const known = new Set([...configTable.map(({ name }) => name), 'NODE_OPTIONS']);
  const secrets = {
    DATABASE_URL: 'postgres://db.example/perennial',
    PERENNIAL_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    SMTP_URL: 'smtp://mail.example',
  };
  for (const [role, pod] of podsOf(render(everything))) {
    const variables = variablesOf(pod);
    expect({ role, unknown: Object.keys(variables).filter((name) => !known.has(name)) }).toEqual({ role, unknown: [] });
    expect(() => readConfig({ ...secrets, ...variables })).not.toThrow();
  }
  const named = readFileSync(join(chart, 'values.yaml'), 'utf8').match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [];
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('each role runs its command of the image, and has the time to end that it needs', () => {
  const pods = podsOf(
    render([...everything, 'image.repository=registry.example/perennial', 'image.tag=9.8.7', 'api.tag=9.8.6']),
  );
  expect([...pods.keys()].sort()).toEqual(['api', 'migrate', 'worker']);
  const images = Object.fromEntries([...pods].map(([role, pod]) => [role, pod.containers[0].image]));
  const tagged = (tag: string) => `registry.example/perennial:${tag}`;
  expect(images).toEqual({ api: tagged('9.8.6'), migrate: tagged('9.8.7'), worker: tagged('9.8.7') });
  const graceOf = (role: string) => (pods.get(role)?.terminationGracePeriodSeconds ?? 0) * 1000;
  const api = variablesOf(podShape.parse(pods.get('api')));
  expect(graceOf('api')).toBeGreaterThan(Number(api.SHUTDOWN_DELAY) + Number(api.GATEWAY_DEADLINE) + 25_000);
  const config = readConfig({
    DATABASE_URL: 'postgres://db.example/perennial',
    PERENNIAL_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    SMTP_URL: 'smtp://mail.example',
    ...variablesOf(podShape.parse(pods.get('worker'))),
  });
  expect(graceOf('worker')).toBeGreaterThan(closeMillisecondsOf(config));
});

test('only migrate has the secret of the owner of the database', () => {
  const secretsOf = ([
    role,
    {
      containers: [{ envFrom }],
    },
  ]: [string, Pod]) => [role, envFrom.map(({ secretRef }) => secretRef.name)];
  expect(Object.fromEntries([...podsOf(render(everything))].map(secretsOf))).toEqual({
    api: ['perennial'],
    worker: ['perennial'],
    migrate: ['perennial-owner'],
  });
});
