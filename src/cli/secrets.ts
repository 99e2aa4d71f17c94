import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { environmentName, flagName, type Setting } from './setting.ts';

/**
 * Secrets. Every user of a machine can read the arguments of its processes. So secrets come from an environment
 * variable, or from the file that the variable with `_FILE` at its end names.
 */

/** @throws InvalidArgumentError when the file cannot be read */
export function fileOf(name: string): string | undefined {
  const file = process.env[`${name}_FILE`];
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new InvalidArgumentError(`${name}_FILE: ${(error as Error).message}.`);
  }
}

/** The value in the file or the environment; the file has priority. */
export const secretOf = (name: string): string | undefined => fileOf(name) ?? process.env[name];

/**
 * Parses the value of a variable. Errors name the variable but not its value.
 * @throws InvalidArgumentError
 */
export function parseVariable<T>(name: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`${name}: ${(error as Error).message}`);
  }
}

/** The refused flag of a secret. It explains where the secret belongs, without printing it. */
export function refusedFlag(setting: Setting, command: Command): Option {
  const refused = (): never => refuse(command, flagName(setting.flag), environmentName(setting));
  return new Option(setting.flag, setting.description).hideHelp().argParser(refused);
}

/** Ends a command that has a secret on its command line. `name` is the variable for it. */
export function refuse(command: Command, flag: string, name: string): never {
  const where = `${name} holds it, or the file that ${name}_FILE names`;
  return command.error(`error: ${flag}: no secret on the command line: ${where}`, { exitCode: 2 });
}

/** Sets the secrets of a command. An invalid one ends the command as wrong usage. */
export function takeSecrets(command: Command, settings: Readonly<Record<string, Setting>>): void {
  for (const [name, setting] of Object.entries(settings)) {
    if (!setting.isSecret) continue;
    const variable = environmentName(setting);
    try {
      const text = secretOf(variable);
      if (text !== undefined)
        command.setOptionValueWithSource(name, parseVariable(variable, text, setting.parse), 'env');
    } catch (error) {
      command.error(`error: ${(error as Error).message}`, { exitCode: 2 });
    }
  }
}

/** True when a URL of Redis has the password. The client also reads it from the query. */
export function hasPassword(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.password !== '' || url.searchParams.has('password'));
}

/** A URL of Redis with the password. A URL that has a password keeps it. */
export function withPassword(text: string, password: string | undefined): string {
  if (password === undefined || hasPassword(text)) return text;
  const url = new URL(text);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** A message without the passwords of the URLs in it. */
export const withoutPasswords = (text: string): string => text.replace(/(\/\/[^\s/@:]*):[^\s/@]*@/g, '$1:…@');
