export default defineEventHandler(() => String(probe.count))
