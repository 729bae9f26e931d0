import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { cancel, confirm, select } from '@clack/prompts'
import picocolors from 'picocolors'
import { type Asker, CommandError, type ProgramResult, type World } from './environment.ts'

/** The world as this process finds it. */
export function thisTerminal(): World {
  // Whoever reads no further, such as `head`, has enough.
  process.stdout.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY)
  return {
    cwd: process.cwd(),
    env: process.env,
    // It knows NO_COLOR and FORCE_COLOR, but takes Windows and CI for terminals.
    colours: picocolors.isColorSupported && (isTerminal || Boolean(process.env['FORCE_COLOR'])),
    asker: isTerminal && !process.env['CI'] ? asker : null,
    readInput: () => text(process.stdin),
    write: output => void process.stdout.write(output),
    tell: message => void process.stderr.write(message),
    fetch: (input, init) => fetch(input, init),
    now: () => Date.now(),
    randomBytes: length => randomBytes(length),
    start,
  }
}

const asker: Asker = {
  confirm: async message => answered<boolean>(await confirm({ message, initialValue: false })),
  async choose(message, choices) {
    const options = choices.map(({ value, label }) => ({ value: String(value), label }))
    const chosen = answered(await select<string>({ message, options }))
    // Sound: it is one of those that were offered.
    return choices.find(({ value }) => value === chosen)?.value as (typeof choices)[0]['value']
  },
}

function answered<Input extends string | boolean>(input: Input | symbol): Input {
  if (typeof input !== 'symbol') return input
  cancel('Stopped. Nothing more was changed.')
  throw new CommandError('')
}

function start(
  [program = '', ...args]: readonly string[],
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  return new Promise(resolve => {
    // Package managers are batch files on Windows, which only a shell can start. It looks in the folder first, where a project
    // can have a program of that name, unless this variable is set.
    const env = { ...process.env, NoDefaultCurrentDirectoryInExePath: '1', ...variables }
    const child = spawn(program, args, { cwd: folder, env, shell: process.platform === 'win32' })
    const output: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
    child.on('error', () => resolve({ status: null, output: '' }))
    child.on('close', status => resolve({ status, output: Buffer.concat(output).toString() }))
  })
}
