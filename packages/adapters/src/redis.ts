export type { CompleteAdapter, CreatedSignUp, NewSignUp } from './lib/complete-adapter.ts'
export { RedisAdapter, type RedisAdapterOptions } from './lib/redis/redis-adapter.ts'
export type {
  IoredisClient,
  NodeRedisClient,
  NodeRedisCluster,
  NodeRedisSentinel,
  RedisClient,
} from './lib/redis/redis-client.ts'
