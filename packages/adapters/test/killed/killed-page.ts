import type { Strategy } from './kill.ts'
import type { StoreName } from './stores.ts'

/** What came of killing the process that runs a flow, after each of its statements. */
export interface Row {
  readonly flow: string
  readonly store: StoreName
  readonly strategy: Strategy
  readonly killed: number
  readonly intruders: number
  readonly lockedOut: number
}

/** The page of the guide that says so. */
export function killedPage(rows: readonly Row[]): string {
  const stores = [...new Set(rows.map(row => row.store))]
  const flows = [...new Set(rows.map(row => row.flow))]
  const lines = flows.map(flow => {
    const own = rows.filter(row => row.flow === flow)
    const cells = stores.map(store =>
      own
        .filter(row => row.store === store)
        .map(row => row.killed)
        .join(' / '),
    )
    const sum = (name: 'intruders' | 'lockedOut') =>
      own.reduce((total, row) => total + row[name], 0)
    return `| ${[flow, ...cells, sum('intruders'), sum('lockedOut')].join(' | ')} |`
  })
  return [
    '<!-- Written by packages/adapters/test/killed/killed.release.test.ts: do not edit. -->',
    '',
    '# When a process is killed',
    '',
    'Each number is how often a test killed the process that carried out a request, as `kill -9` does: before its first statement or',
    'command, and after each one, `begin` and `commit` included. The first number is for sessions in rows, the second for sessions in',
    'cookies. Then an attacker and the owner each tried to get in, with another process over the same store.',
    '',
    "- The **attacker** holds a user with the owner's address, which nobody has verified, with accounts, a passkey, passwords and",
    "  sessions attached; or has the owner's cookie, or knows the owner's password. **Intruders** counts how often the attacker was in the",
    '  user that the owner got into, or had anything attached to it.',
    '- The **owner** does what the page says, or what anyone would do: the same again, or a new link. **Locked out** counts how often',
    '  neither the first attempt nor the second worked.',
    '- After a rotation that was interrupted, `sessions.rotate` changes nothing for 30 seconds: until then, another process may be',
    '  about to complete it. Accounts that were leased to the process are free after 30 seconds.',
    '',
    `| Flow | ${stores.join(' | ')} | Intruders | Locked out |`,
    `|---|${stores.map(() => '---|').join('')}---|---|`,
    ...lines,
    '',
  ].join('\n')
}
