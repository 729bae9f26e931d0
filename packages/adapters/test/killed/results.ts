import type { Strategy } from './kill.ts'

/** What came of killing the process that runs a flow, after each of its statements. */
export interface Row {
  readonly flow: string
  readonly strategy: Strategy
  readonly killed: number
  readonly intruders: number
  readonly lockedOut: number
}

/** The table of one store. */
export function resultsTable(store: string, rows: readonly Row[]): string {
  return [
    '<!-- Written by packages/adapters/test/killed/killed.release.test.ts: do not edit. -->',
    '',
    `# When a process is killed: ${store}`,
    '',
    'Each row is a flow whose process was killed, as `kill -9` does, before its first statement or command and after each one, `begin` and',
    '`commit` included. **Killed** counts how often. Each time, an attacker and the owner then tried to get in, by another process over the',
    'same store.',
    '',
    "- The **attacker** holds a user with the owner's address, which nobody has verified, with accounts, a passkey, passwords and sessions",
    "  attached; or has the owner's cookie, or knows the owner's password. **Intruders** counts how often the attacker was in the user that",
    '  the owner got into, or had anything attached to it.',
    '- The **owner** does what the page says, or what anyone would do: the same again, or a new link. **Locked out** counts how often neither',
    '  the first attempt nor the second worked.',
    '- A rotation that was interrupted has not happened, and cannot be repeated for 30 seconds: until then, another process may be about to',
    '  complete it. Accounts that were leased by the process are free after 30 seconds. The test lets that time pass.',
    '',
    '| Flow | Sessions | Killed | Intruders | Locked out |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ flow, strategy, killed, intruders, lockedOut }) =>
        `| ${[flow, strategy, killed, intruders, lockedOut].join(' | ')} |`,
    ),
    '',
  ].join('\n')
}
