import { editDistance } from '../contract/edit-distance.ts';
import { environmentName, type Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

/**
 * Variables of single commands. `HIDAMARI_REPORT` is set for the command of `--on-failure`; `HIDAMARI_URL` is in
 * examples.
 */
const OF_COMMANDS = ['DEBUG', 'CONTACT', 'REPORT', 'URL', 'STORE', 'QUEUE'];
/** Variables whose value may be in a file. */
const SECRETS = ['KEY', 'STORE_KEY', 'QUEUE_PASSWORD', 'WEBHOOK'];

/** A line for each environment variable with our prefix that nothing reads. */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const given = Object.keys(environment).filter((name) => /^HIDAMARI_(?!TEST_)/i.test(name));
  const known = knownVariables();
  return given
    .filter((name) => !known.includes(name))
    .sort()
    .map((name) => {
      const meant = nearest(name, known);
      return `${name} is not a variable that is read: ${meant === null ? 'docs/settings.md and `hidamari serve --help` list them' : `did you mean ${meant}?`}`;
    });
}

function knownVariables(): string[] {
  const settings = Object.values<Setting>(SETTINGS);
  const secrets = [...settings.filter(({ isSecret }) => isSecret).map(environmentName), ...SECRETS.map(ours)];
  return [
    ...settings.map(environmentName),
    ...OF_COMMANDS.map(ours),
    ...secrets,
    ...secrets.map((name) => `${name}_FILE`),
  ];
}

const ours = (name: string): string => `HIDAMARI_${name}`;

/** The most similar known name, with at most one different letter for each three after `HIDAMARI_`. */
function nearest(name: string, known: readonly string[]): string | null {
  const written = name.toUpperCase();
  if (written.length > 60) return null;
  const slips = (candidate: string): number => editDistance(written, candidate);
  const [best = ''] = known.toSorted((a, b) => slips(a) - slips(b));
  return slips(best) <= (best.length - ours('').length) / 3 ? best : null;
}
