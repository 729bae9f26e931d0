// What it costs to hash a password: time for one, and the memory that it takes meanwhile. Whoever guesses pays
// both for each guess.
import { createHasher } from '@siteauth/core/passwords'
import { hashPassword } from 'better-auth/crypto'
import { quantile, shuffled } from './lib/measure.mjs'
import { progress } from './lib/progress.mjs'
import { report } from './lib/report.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 11)
const PASSWORD = 'correct horse battery staple'

const ours = (name, hashing, mebibytes) => {
  const hasher = createHasher(hashing)
  return { name: `SiteAuth, ${name}`, ours: true, mebibytes, run: () => hasher.hash(PASSWORD) }
}
const scrypt = ln => ({ algorithm: 'scrypt', scryptCost: { ln } })
const hasArgon2 = 'argon2' in (await import('node:crypto'))

const contenders = [
  ours('scrypt N=2^17 r=8 p=1, the default', scrypt(17), 128),
  ours('scrypt N=2^16 r=8 p=1', scrypt(16), 64),
  ours('scrypt N=2^15 r=8 p=1', scrypt(15), 32),
  ...(hasArgon2
    ? [
        ours(
          'argon2id m=19 MiB t=2 p=1, the default where Node has it',
          { algorithm: 'argon2id' },
          19,
        ),
      ]
    : []),
  // As it writes them: N=2^14 r=16 p=1.
  { name: 'Better Auth, scrypt N=2^14 r=16 p=1', mebibytes: 32, run: () => hashPassword(PASSWORD) },
]

const samples = contenders.map(() => [])
for (const { run } of contenders) await run()
for (let round = 0; round < ROUNDS; round++) {
  for (const index of shuffled(contenders.length)) {
    const start = performance.now()
    await contenders[index].run()
    samples[index].push(performance.now() - start)
  }
  progress((round + 1) / ROUNDS)
}

const base = quantile(samples[0], 0.5)
report('password-hash', {
  title: 'Hashing a password',
  note: 'One at a time. Memory is what the parameters ask for: 128 · N · r bytes for scrypt.',
  rows: contenders.map(({ name, ours = false, mebibytes }, index) => ({
    name,
    ours,
    mebibytes,
    median: quantile(samples[index], 0.5),
    p10: quantile(samples[index], 0.1),
    p90: quantile(samples[index], 0.9),
    ratio: quantile(samples[index], 0.5) / base,
  })),
  columns: [
    ['ms, median', row => row.median.toFixed(0)],
    ['p10 to p90', row => `${row.p10.toFixed(0)} – ${row.p90.toFixed(0)}`],
    ['MiB', row => row.mebibytes],
  ],
})
