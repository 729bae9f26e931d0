import { preemptedSuite } from './preempted-suite.ts'

preemptedSuite([
  { strategy: 'database', methods: 'ours', email: false },
  { strategy: 'database', methods: 'published', email: true },
  { strategy: 'jwt', methods: 'ours', email: true },
])
