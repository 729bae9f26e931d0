import { preemptedSuite } from './preempted-suite.ts'

preemptedSuite({ strategy: 'database', methods: 'ours', email: true }, [
  'nobody is there',
  'Mallory sits there',
  'Mallory sits there with a password',
])

// Less can go wrong here: where the row gives up its address, nobody is put out of it; and where a session is
// kept decides nothing about accounts.
for (const setting of [
  { strategy: 'database', methods: 'ours', email: false },
  { strategy: 'database', methods: 'published', email: true },
  { strategy: 'jwt', methods: 'ours', email: true },
] as const) {
  preemptedSuite(setting, ['Mallory sits there with a passkey'])
}
