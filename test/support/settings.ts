import type { Command } from 'commander';
import { commandLine } from '../../src/cli/commands.ts';

/** The command `hidamari serve` without what it does; it throws where it would end the process. */
async function serveCommand(): Promise<Command> {
  const { commands } = await commandLine('serve');
  const command = commands.find((one) => one.name() === 'serve');
  if (command === undefined) throw new Error('hidamari has no command serve');
  return command
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .action(() => {});
}

/** The settings of the server as its command line has them. The flags of secrets are hidden, since they are refused. */
export async function serverSettings() {
  const { options } = await serveCommand();
  return options.map((option) => {
    const { flags, long = '', hidden: isSecret, description, defaultValueDescription } = option;
    const variable = `HIDAMARI_${long?.slice(2).replaceAll('-', '_').toUpperCase()}`;
    if (!isSecret && option.envVar !== variable) throw new Error(`${flags}: is read from ${option.envVar}`);
    return {
      name: option.attributeName(),
      flags,
      long,
      variable,
      isSecret,
      description,
      default: defaultValueDescription,
    };
  });
}

/** The values of the settings of a server that is started so. */
export async function settingsFrom(args: string[], env: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    return (await (await serveCommand()).parseAsync(args, { from: 'user' })).opts();
  } finally {
    process.env = before;
  }
}
