// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

/// Holds the answers of one price feed and logs them, as Chainlink's aggregators do.
contract FeedAggregator {
    uint8 public constant decimals = 8;
    uint256 public constant version = 4;
    string public description;
    uint256 public latestRound;

    struct Round {
        int256 answer;
        uint256 updatedAt;
    }

    mapping(uint256 => Round) private rounds;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    constructor(string memory description_) {
        description = description_;
    }

    function submit(int256 answer) external {
        latestRound += 1;
        rounds[latestRound] = Round(answer, block.timestamp);
        emit AnswerUpdated(answer, latestRound, block.timestamp);
    }

    function roundData(uint256 round) external view returns (int256 answer, uint256 updatedAt) {
        Round memory found = rounds[round];
        require(found.updatedAt > 0, "No data present");
        return (found.answer, found.updatedAt);
    }
}

/// What readers call: Chainlink's AggregatorV3Interface in front of an aggregator.
/// Round ids carry the phase in their upper bits, as behind Chainlink's own proxies.
contract FeedProxy {
    uint16 public constant phaseId = 1;
    FeedAggregator public immutable aggregator;

    constructor(FeedAggregator aggregator_) {
        aggregator = aggregator_;
    }

    function decimals() external view returns (uint8) {
        return aggregator.decimals();
    }

    function description() external view returns (string memory) {
        return aggregator.description();
    }

    function version() external view returns (uint256) {
        return aggregator.version();
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        return getRoundData((uint80(phaseId) << 64) | uint80(aggregator.latestRound()));
    }

    function getRoundData(uint80 id)
        public
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        (int256 value, uint256 time) = aggregator.roundData(uint64(id));
        return (id, value, time, time, id);
    }
}
