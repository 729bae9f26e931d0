import { preemptedSuite } from './preempted-suite.ts'

preemptedSuite({ strategy: 'database', methods: 'ours', email: true }, [
  'nobody is there',
  'Mallory sits there with a passkey',
  'Mallory sits there with a password',
])
