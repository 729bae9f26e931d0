export default defineEventHandler(() => probe.signInPage)
