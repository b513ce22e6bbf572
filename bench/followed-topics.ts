import { poolTopics } from '../src/domain/ingest/decode-pool-log.ts'
import { answerUpdatedTopic, multiplierUpdatedTopic } from '../src/domain/stock/onchain-events.ts'

/** As the indexer asks: everything that may concern it, whoever emitted it. */
export const followedTopics = [...poolTopics, answerUpdatedTopic, multiplierUpdatedTopic]
