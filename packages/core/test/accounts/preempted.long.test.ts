import { preemptedSuite } from './preempted-suite.ts'

// Where Mallory has most to lose, and can do most. The rest waits for a release.
preemptedSuite({ strategy: 'database', methods: 'ours', email: true }, [
  'Mallory sits there with a passkey',
])
