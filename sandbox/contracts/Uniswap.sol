// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

// The few functions of Uniswap v3 and v4 that our contracts call, as their ABIs state them.

interface Token {
    function transfer(address to, uint256 value) external returns (bool);
}

interface V3Pool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    // More words follow, as many as the protocol has.
    function slot0() external view returns (uint160, int24);
    function positions(bytes32 key) external view returns (uint128, uint256, uint256, uint128, uint128);
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
    function mint(address owner, int24 lower, int24 upper, uint128 liquidity, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
    function burn(int24 lower, int24 upper, uint128 liquidity)
        external
        returns (uint256 amount0, uint256 amount1);
    function collect(address to, int24 lower, int24 upper, uint128 max0, uint128 max1)
        external
        returns (uint128 amount0, uint128 amount1);
}

/// A pool of Algebra Integral, where it differs.
interface AlgebraPool {
    function globalState() external view returns (uint160, int24, uint16, uint8, uint16, bool);
    function mint(
        address leftovers,
        address owner,
        int24 lower,
        int24 upper,
        uint128 liquidity,
        bytes calldata data
    ) external returns (uint256 amount0, uint256 amount1, uint128 credited);
    function burn(int24 lower, int24 upper, uint128 liquidity, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
}

struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}

struct SwapParams {
    bool zeroForOne;
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
}

struct ModifyLiquidityParams {
    int24 tickLower;
    int24 tickUpper;
    int256 liquidityDelta;
    bytes32 salt;
}

interface V4Manager {
    function unlock(bytes calldata data) external returns (bytes memory);
    function swap(PoolKey memory key, SwapParams memory params, bytes calldata hookData)
        external
        returns (int256 delta);
    function modifyLiquidity(PoolKey memory key, ModifyLiquidityParams memory params, bytes calldata hookData)
        external
        returns (int256 delta, int256 fees);
    function updateDynamicLPFee(PoolKey memory key, uint24 fee) external;
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function take(address currency, address to, uint256 amount) external;
}

interface V4StateView {
    function getSlot0(bytes32 id) external view returns (uint160, int24, uint24, uint24);
    function getPositionLiquidity(bytes32 id, bytes32 position) external view returns (uint128);
}
