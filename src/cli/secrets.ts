import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { environmentName, flagName, type Setting } from './setting.ts';

/**
 * Secrets. Every user of a machine can read the arguments of its processes. So secrets come from an environment
 * variable, or from the file that the variable with `_FILE` at its end names.
 */

/**
 * The secret in the file whose path is in the environment variable `<name>_FILE`; undefined without this variable.
 * @throws InvalidArgumentError when the file cannot be read
 */
export function secretInFile(name: string): string | undefined {
  const file = process.env[`${name}_FILE`];
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new InvalidArgumentError(`${name}_FILE: ${(error as Error).message}.`);
  }
}

/**
 * The secret of a variable: in its file, or else in the variable itself.
 * @throws InvalidArgumentError when the file cannot be read
 */
export const secretOf = (name: string): string | undefined => secretInFile(name) ?? process.env[name];

/**
 * Parses the value of a variable.
 * @param parse its errors must not repeat the text
 * @throws InvalidArgumentError naming the variable but not its value
 */
export function parseVariable<T>(name: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`${name}: ${(error as Error).message}`);
  }
}

/** A hidden flag for a secret, whose use ends the command. */
export function refusedFlag(setting: Setting, command: Command): Option {
  const end = (): never => refuse(command, flagName(setting.flag), environmentName(setting));
  return new Option(setting.flag, setting.description).hideHelp().argParser(end);
}

/**
 * Ends a command that has a secret on its command line. The message says where the secret belongs.
 * @param variable the environment variable for it
 */
export function refuse(command: Command, flag: string, variable: string): never {
  const where = `${variable} holds it, or the file that ${variable}_FILE names`;
  return command.error(`error: ${flag}: no secret on the command line: ${where}`);
}

/** Sets the secret options of a command from its environment. An invalid secret ends the command as wrong usage. */
export function takeSecrets(command: Command, settings: Readonly<Record<string, Setting>>): void {
  for (const [name, setting] of Object.entries(settings)) {
    if (!setting.isSecret) continue;
    const variable = environmentName(setting);
    try {
      const text = secretOf(variable);
      if (text !== undefined)
        command.setOptionValueWithSource(name, parseVariable(variable, text, setting.parse), 'env');
    } catch (error) {
      command.error(`error: ${(error as Error).message}`);
    }
  }
}

/** True when a URL of Redis has a password. It may be in the query, too, where the client also reads it. */
export function hasPassword(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.password !== '' || url.searchParams.has('password'));
}

/** A URL of Redis with this password, unless it has one already. */
export function withPassword(text: string, password: string | undefined): string {
  if (password === undefined || hasPassword(text)) return text;
  const url = new URL(text);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** A message without the passwords of the URLs in it. */
export const withoutPasswords = (text: string): string => text.replace(/(\/\/[^\s/@:]*):[^\s/@]*@/g, '$1:…@');
