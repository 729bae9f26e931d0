import { preemptedSuite } from './preempted-suite.ts'

// What the schedules of test/schedules lack: a password of the application, no links, and other adapters.
preemptedSuite({ strategy: 'database', methods: 'ours', email: true }, [
  'Mallory sits there with a password',
])
for (const setting of [
  { strategy: 'database', methods: 'ours', email: false },
  { strategy: 'database', methods: 'published', email: true },
] as const) {
  preemptedSuite(setting, ['Mallory sits there with a passkey'])
}
