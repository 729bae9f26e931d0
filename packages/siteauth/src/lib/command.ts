import type { Command } from 'commander'
import type { ExitCode, World } from './environment.ts'

/** How a command is added to the program: `done` is told how it ended. */
export type AddTo = (program: Command, world: World, done: (code: ExitCode) => void) => void
