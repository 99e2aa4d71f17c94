/**
 * The members of Kubernetes' objects, as its API reference has them: those that our manifests use, so an unknown one is
 * probably misspelt. A member that ends with `!` is required, in the reference or by the check of the server.
 */
const object = (members: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name.replace(/!$/, ''), schema])),
  required: Object.keys(members).flatMap((name) => (name.endsWith('!') ? [name.slice(0, -1)] : [])),
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', items, minItems: 1 });
const mapOf = (additionalProperties: object) => ({ type: 'object', additionalProperties, minProperties: 1 });
const oneOf = (...values: string[]) => ({ enum: values });

const TEXT = { type: 'string' };
const WHOLE = { type: 'integer', minimum: 0 };
const FLAG = { type: 'boolean' };
/** A label of the domain name system: names of objects, containers and volumes. */
const NAME = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' };
const PORT_NAME = { ...NAME, maxLength: 15 };
const PORT = { type: 'integer', minimum: 1, maximum: 65535 };
const PATH = { type: 'string', pattern: '^/' };
const QUANTITY = { type: 'string', pattern: String.raw`^\d+(\.\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$` };

const METADATA = object({ 'name!': NAME, labels: mapOf(TEXT) });
const RESOURCES = object({ requests: mapOf(QUANTITY), limits: mapOf(QUANTITY) });
const SECCOMP = object({ 'type!': oneOf('RuntimeDefault', 'Unconfined') });
const NAMED = object({ 'name!': NAME });

const PROBE = object({
  httpGet: object({ 'port!': PORT_NAME, path: PATH }),
  tcpSocket: object({ 'port!': PORT_NAME }),
  periodSeconds: WHOLE,
  timeoutSeconds: WHOLE,
  failureThreshold: WHOLE,
});
const CONTAINER = object({
  'name!': NAME,
  'image!': TEXT,
  command: list(TEXT),
  args: list(TEXT),
  env: list(object({ 'name!': TEXT, value: TEXT, valueFrom: object({ 'fieldRef!': object({ 'fieldPath!': TEXT }) }) })),
  envFrom: list(object({ 'secretRef!': NAMED })),
  ports: list(object({ 'containerPort!': PORT, name: PORT_NAME })),
  startupProbe: PROBE,
  readinessProbe: PROBE,
  livenessProbe: PROBE,
  resources: RESOURCES,
  'securityContext!': object({
    'readOnlyRootFilesystem!': { const: true },
    'allowPrivilegeEscalation!': { const: false },
    'capabilities!': object({ 'drop!': { const: ['ALL'] } }),
  }),
  volumeMounts: list(object({ 'name!': NAME, 'mountPath!': PATH })),
});
const podWith = (restart: Readonly<Record<string, object>>) =>
  object({
    metadata: object({ labels: mapOf(TEXT) }),
    'spec!': object({
      'enableServiceLinks!': { const: false },
      'automountServiceAccountToken!': { const: false },
      'securityContext!': object({
        'runAsNonRoot!': { const: true },
        'runAsUser!': WHOLE,
        runAsGroup: WHOLE,
        fsGroup: WHOLE,
        'seccompProfile!': SECCOMP,
      }),
      terminationGracePeriodSeconds: WHOLE,
      ...restart,
      'containers!': list(CONTAINER),
      volumes: list(
        object({ 'name!': NAME, emptyDir: object({}), persistentVolumeClaim: object({ 'claimName!': NAME }) }),
      ),
    }),
  });

const JOB_SPEC = object({
  completionMode: oneOf('Indexed', 'NonIndexed'),
  completions: WHOLE,
  parallelism: WHOLE,
  backoffLimit: WHOLE,
  suspend: FLAG,
  'template!': podWith({ 'restartPolicy!': oneOf('Never', 'OnFailure') }),
});

const SPECS: Readonly<Record<string, readonly [apiVersion: string, spec: object]>> = {
  Deployment: [
    'apps/v1',
    object({
      replicas: WHOLE,
      strategy: object({ 'type!': oneOf('Recreate', 'RollingUpdate') }),
      'selector!': object({ 'matchLabels!': mapOf(TEXT) }),
      'template!': podWith({}),
    }),
  ],
  Job: ['batch/v1', { ...JOB_SPEC, dependentSchemas: { completionMode: { required: ['completions'] } } }],
  CronJob: [
    'batch/v1',
    object({
      'schedule!': { type: 'string', pattern: String.raw`^(\S+ ){4}\S+$` },
      concurrencyPolicy: oneOf('Allow', 'Forbid', 'Replace'),
      'jobTemplate!': object({ 'spec!': JOB_SPEC }),
    }),
  ],
  Service: [
    'v1',
    object({
      'selector!': mapOf(TEXT),
      'ports!': list(object({ 'port!': PORT, name: PORT_NAME, targetPort: PORT_NAME })),
    }),
  ],
  PersistentVolumeClaim: [
    'v1',
    object({
      'accessModes!': list(oneOf('ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod')),
      'resources!': RESOURCES,
    }),
  ],
};

/** The JSON Schema of the objects of a kind; undefined: a kind that no manifest of ours has. */
export function kubernetesSchema(kind: string): object | undefined {
  const [apiVersion, spec] = SPECS[kind] ?? [];
  if (apiVersion === undefined || spec === undefined) return undefined;
  return object({
    'apiVersion!': { const: apiVersion },
    'kind!': { const: kind },
    'metadata!': METADATA,
    'spec!': spec,
  });
}
