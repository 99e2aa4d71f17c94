/** One setting of `hidamari serve`: a flag and an environment variable with the same meaning. */
export interface Setting<T = unknown> {
  /** As on the command line: `--port <port>`. */
  flag: string;
  /** As it would be written; absent where there is none. */
  default?: string;
  /** One sentence, for `--help` and docs/settings.md. */
  description: string;
  /** @throws InvalidArgumentError saying what would be right. */
  parse(text: string): T;
}

/** Settings by name. */
type Table = Readonly<Record<string, Setting>>;

/** The values of a table of settings; those without a default may be absent. */
export type ValuesOf<T extends Table> = {
  [Name in keyof T]: T[Name] extends { default: string }
    ? ReturnType<T[Name]['parse']>
    : ReturnType<T[Name]['parse']> | undefined;
};

/**
 * The values named, none of them absent.
 * @throws Error naming the flag of one that is: commands check this before they run
 */
export function given<T extends Table, Name extends keyof T & string>(
  table: T,
  values: ValuesOf<T>,
  names: readonly Name[],
): { [N in Name]: NonNullable<ValuesOf<T>[N]> } {
  const absent = names.find((name) => values[name] === undefined);
  if (absent !== undefined) throw new Error(`${flagName(table[absent].flag)} is needed`);
  return values as { [N in Name]: NonNullable<ValuesOf<T>[N]> };
}

/** `--site-url <url>` → `HIDAMARI_SITE_URL`. */
export function environmentName({ flag }: Setting): string {
  return `HIDAMARI_${flagName(flag).slice(2).replaceAll('-', '_').toUpperCase()}`;
}

/** `--site-url <url>` → `--site-url`. */
export function flagName(flag: string): string {
  return flag.split(' ')[0];
}
