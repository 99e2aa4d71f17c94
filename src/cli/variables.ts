import { editDistance } from '../contract/edit-distance.ts';
import { environmentName, type Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

/**
 * Variables that are no settings, without their prefix. `HIDAMARI_REPORT` is set for the command of `--on-failure`;
 * `HIDAMARI_URL` is in examples.
 */
const OTHERS = ['DEBUG', 'CONTACT', 'REPORT', 'URL', 'STORE', 'QUEUE'];
/** Secrets that are no settings, without their prefix. */
const OTHER_SECRETS = ['KEY', 'STORE_KEY', 'QUEUE_PASSWORD', 'WEBHOOK'];

/** A line for each environment variable with our prefix that nothing reads. */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const variables = knownVariables();
  return Object.keys(environment)
    .filter((name) => /^HIDAMARI_(?!TEST_)/i.test(name) && !variables.includes(name))
    .sort()
    .map((name) => {
      const similar = nearest(name, variables);
      const hint =
        similar === null ? 'docs/settings.md and `hidamari serve --help` list them' : `did you mean ${similar}?`;
      return `${name} is not a variable that is read: ${hint}`;
    });
}

/** The variables that the program reads. A secret may also be in a file, which the variable with `_FILE` names. */
function knownVariables(): string[] {
  const settings = Object.values<Setting>(SETTINGS);
  const otherSecrets = OTHER_SECRETS.map(prefixed);
  const secrets = [...settings.filter(({ isSecret }) => isSecret).map(environmentName), ...otherSecrets];
  return [
    ...settings.map(environmentName),
    ...OTHERS.map(prefixed),
    ...otherSecrets,
    ...secrets.map((name) => `${name}_FILE`),
  ];
}

const PREFIX = 'HIDAMARI_';

const prefixed = (name: string): string => PREFIX + name;

/** Longest name for which a similar one is looked for: the time grows with the length. */
const LONGEST_NAME = 60;

/** The most similar of the names, with at most one different letter for each three after the prefix; otherwise null. */
function nearest(name: string, names: readonly string[]): string | null {
  if (name.length > LONGEST_NAME) return null;
  const distance = (candidate: string): number => editDistance(name.toUpperCase(), candidate);
  const [best = ''] = names.toSorted((a, b) => distance(a) - distance(b));
  return distance(best) <= (best.length - PREFIX.length) / 3 ? best : null;
}
