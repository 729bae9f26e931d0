/** What a command sees of the world. Tests give it another. */
export interface World {
  /** The folder it was started in. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly colours: boolean
  /** What to ask somebody with; null where nobody is there to answer. */
  readonly asker: Asker | null
  /** What is handed to the command: all of the standard input. */
  readInput(): Promise<string>
  /** What the command is for: a script may read it. */
  write(text: string): void
  /** What only people read: progress, and why something failed. */
  tell(text: string): void
  readonly fetch: typeof fetch
  readonly now: () => number
  readonly randomBytes: (length: number) => Uint8Array
  /** Runs a program in a folder, with more variables than this one has. */
  start(
    command: readonly string[],
    folder: string,
    variables?: Readonly<Record<string, string>>,
  ): Promise<ProgramResult>
}

/** How a program ended. */
export interface ProgramResult {
  /** Null if there is no such program. */
  readonly status: number | null
  readonly output: string
}

/** Asks whoever sits at the terminal. */
export interface Asker {
  confirm(question: string): Promise<boolean>
  choose<Value extends string>(question: string, choices: readonly Choice<Value>[]): Promise<Value>
}

/** One of several answers. */
interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
}

/** What scripts find in `$?`. */
export const EXIT = {
  /** All is well, or done. */
  ok: 0,
  /** It failed, or an error was found. */
  error: 1,
  /** It was called in a way it does not know. */
  usage: 2,
  /** It went well, but there is something to do: warnings, or changes that were only shown. */
  attention: 3,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Why a command cannot do what it was asked to, with what to do about it. */
export class CommandError extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = EXIT.error) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}
