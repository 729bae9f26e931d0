import { preemptedSuite } from './preempted-suite.ts'

preemptedSuite([{ strategy: 'database', methods: 'ours', email: true }])
