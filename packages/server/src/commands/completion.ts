import { Argument, type Command } from 'commander';

/** Words that may follow the name of a command: its options, and its subcommands. */
function wordsOf(command: Command): string[] {
  const options = command.options.map(({ long, short }) => long ?? short ?? '').filter((word) => word !== '');
  return [...command.commands.map((sub) => sub.name()), ...options, '--help'];
}

/** Returns the script that completes commands and options in bash and zsh. */
function bashScript(program: Command): string {
  const cases = program.commands.map(
    (command) => `    ${command.name()}) words="${wordsOf(command).join(' ')}" ;;`,
  );
  return `_datadeck() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${wordsOf(program).join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _datadeck datadeck`;
}

/** Returns the script that completes commands and options in fish. */
function fishScript(program: Command): string {
  const lines = program.commands.flatMap((command) => [
    `complete -c datadeck -n __fish_use_subcommand -a ${command.name()} -d '${command.description().replaceAll("'", "\\'")}'`,
    ...wordsOf(command).map((word) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c datadeck -n '__fish_seen_subcommand_from ${command.name()}' ${what}`;
    }),
  ]);
  return lines.join('\n');
}

/** Lets zsh take completions for bash, also where its own are not set up. */
const ZSH_PREPARATION = `autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit -i
bashcompinit
`;

/** Adds the command that prints a script for the completion of a shell. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands: source <(datadeck completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action((shell: string) => {
      if (shell === 'fish') return console.log(fishScript(program));
      const preparation = shell === 'zsh' ? ZSH_PREPARATION : '';
      console.log(preparation + bashScript(program));
    });
}
