// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

/// Emits the topics of Uniswap v3, but is neither its factory nor one of its pools.
contract ForeignVenue {
    address public immutable token0;
    address public immutable token1;
    uint24 public constant fee = 3000;
    int24 public constant tickSpacing = 60;

    event PoolCreated(
        address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool
    );
    event Swap(
        address indexed sender,
        address indexed recipient,
        int256 amount0,
        int256 amount1,
        uint160 sqrtPriceX96,
        uint128 liquidity,
        int24 tick
    );

    constructor(address tokenA, address tokenB) {
        (token0, token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        emit PoolCreated(token0, token1, fee, tickSpacing, address(this));
    }

    function pretendSwap(int256 amount0, int256 amount1, uint160 sqrtPriceX96) external {
        emit Swap(msg.sender, msg.sender, amount0, amount1, sqrtPriceX96, 1e18, 0);
    }
}
